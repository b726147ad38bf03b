import json

from django.db import migrations

AT_ONCE = 500


def fill(apps, schema_editor):
    """What `game_rows` and `tournament_rows` say from now on, as far as the rows there are tell it: no page shows too little meanwhile."""
    games = apps.get_model('tournament', 'Game').objects
    games.filter(confirmation__contains='"final":true').update(final=True)
    games.filter(confirmation__contains='"state":"disputed"').update(disputed=True)
    games.filter(state__contains='"closed":"not_played"').update(not_played=True)
    rounds = apps.get_model('tournament', 'TournamentRound').objects
    for name in ('published', 'closed'):
        rounds.filter(state__contains=f'"{name}":true').update(**{name: True})
    seat, player = apps.get_model('tournament', 'GameSeat'), apps.get_model('tournament', 'TournamentPlayer')
    seat.objects.bulk_create(seats(seat, games), batch_size=AT_ONCE)
    tournaments = apps.get_model('tournament', 'Tournament').objects
    tournaments.filter(state__contains='"practice":true').update(practice=True)
    player.objects.bulk_create(players(player, tournaments), batch_size=AT_ONCE)


def seats(model, games):
    """A row for each seat of each game."""
    return [
        model(id=f'{game}-{seat}', game_id=game, seat=seat, player_id=player, started_position=position)
        for game, held, position in games.values_list('pk', 'seats', 'started_position')
        for seat, player in json.loads(held).items()
    ]


def players(model, tournaments):
    """A row for each player whom each tournament names."""
    found = []
    for stream, text in tournaments.values_list('pk', 'state'):
        state = json.loads(text)
        named = {single['player'] for single in state.get('singles', ())}
        for entry in state.get('entries', ()):
            earlier = [pair for _last, pairs in entry.get('earlier', ()) for pair in pairs]
            named |= {player for _place, player in (*entry['players'], *earlier, *entry.get('entered', ()))}
        found += [model(id=f'{stream}-{player}', stream_id=stream, player_id=player) for player in sorted(named)]
    return found


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0027_games_found_by_their_players'),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
