#!/usr/bin/env bash
# A whole evening by curl alone: evening.sh https://salon.example.org/api/v1/salons/gate TOKEN FOLDER
# Prints who stands first; leaves the standings and the files of the tournament and its games in FOLDER.
set -euo pipefail
base=$1 token=$2 folder=$3

main() {
  local event round game
  event=$(post tournaments/ '{"name":"Evening by curl","game":"precedence","seed":7,"options":{"hands_limit":2},
    "stage":{"kind":"swiss","rounds":1,"tie_breaks":["score_difference"]}}' | field stream)
  act "tournaments/$event" phases '{"phase":"registration"}'
  for pair in '"Asha Renn","Cato Liss"' '"Ilse Marrow","Juno Dray"' '"Orla Venn","Pim Aster"' '"Rhea Sol","Tomas Quill"'; do
    act "tournaments/$event" entries "{\"players\":[$pair]}"
  done
  for entry in 1 2 3 4; do act "tournaments/$event" check-ins "{\"entry\":\"$entry\"}"; done
  act "tournaments/$event" phases '{"phase":"running"}'
  act "tournaments/$event" draws '{"round":1}'
  act "tournaments/$event" publications '{"round":1}'
  for round in 1 2; do
    game=$(post "tournaments/$event/games/" "{\"round\":1,\"table\":$round,\"label\":\"$round\"}" "$(etag "tournaments/$event/")" | field stream)
    play "$game"
    confirm "$game"
  done
  act "tournaments/$event" closings '{"round":1}'
  act "tournaments/$event" phases '{"phase":"finished"}'
  standings "$event" >"$folder/standings.json"
  get "tournaments/$event/file/" >"$folder/tournament.json"
  get game-records/ >"$folder/records.json"
  field name <"$folder/standings.json"
}

# Two hands: the first act by act, the second from its sheet.
play() {
  act "games/$1" hands '{"dealer":"S"}'
  local bid
  for bid in '"W","tricks":2' '"N","tricks":4' '"E","tricks":3' '"S","tricks":3'; do act "games/$1" bids "{\"seat\":$bid}"; done
  act "games/$1" totals '{"NS":7,"EW":6}'
  post "games/$1/hands/" '{"bids":{"N":4,"E":2,"S":3,"W":2},"tricks":{"NS":8,"EW":5}}' "$(etag "games/$1/")" >/dev/null
}

# Each side confirms both hands by the PIN of a seat.
confirm() {
  local seat pin
  for seat in N E; do
    pin=$(get "games/$1/seats/" | grep -o "\"seat\":\"$seat\".*" | field pin)
    post "games/$1/attestations/confirmations/" "{\"seat\":\"$seat\",\"pin\":\"$pin\"}" "$(etag "games/$1/")" >/dev/null
  done
}

# The standings, once they count the last entry of the log.
standings() {
  local found
  for _ in $(seq 100); do
    found=$(get "tournaments/$1/standings/")
    case $found in *'"after_round":1,'*'"behind":0,'*) break ;; esac
    sleep 0.2
  done
  printf '%s' "$found"
}

act() {
  post "$1/acts/$2/" "$3" "$(etag "$1/")" >/dev/null
}

get() {
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $token" "$base/$1"
}

etag() {
  curl --silent --show-error --fail --output /dev/null --dump-header - --header "Authorization: Bearer $token" "$base/$1" |
    tr -d '\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: //p'
}

post() {
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $token" --header 'Content-Type: application/json' \
    --header "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" ${3:+--header "If-Match: $3"} --data "$2" "$base/$1"
}

# The first value of this name in compact JSON.
field() {
  grep -o "\"$1\":\"[^\"]*\"" | head -1 | cut -d'"' -f4
}

main
