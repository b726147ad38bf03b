// A whole evening by fetch alone: evening("https://salon.example.org/api/v1/salons/gate", token) gives its standings and files.
async function evening(base, token) {
  const call = async (path, { body, etag } = {}) => {
    const headers = { Authorization: `Bearer ${token}` };
    if (body !== undefined) Object.assign(headers, { "Content-Type": "application/json", "Idempotency-Key": uuid() });
    if (etag) headers["If-Match"] = etag;
    const method = body === undefined ? "GET" : "POST";
    const answer = await fetch(`${base}/${path}`, { method, headers, body: body && JSON.stringify(body) });
    const value = answer.status === 204 ? null : await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.status} ${value.code} ${value.detail}`);
    return { value, etag: answer.headers.get("ETag") };
  };
  const on = async (place, path, body) => (await call(path, { body, etag: (await call(place)).etag })).value;
  const act = (stream, collection, body) => on(`${stream}/`, `${stream}/acts/${collection}/`, body);

  const stage = { kind: "swiss", rounds: 1, tie_breaks: ["score_difference"] };
  const set = { name: "Evening by fetch", game: "precedence", seed: 7, options: { hands_limit: 2 }, stage };
  const event = `tournaments/${(await call("tournaments/", { body: set })).value.stream}`;
  await act(event, "phases", { phase: "registration" });
  const pairs = [["Asha Renn", "Cato Liss"], ["Ilse Marrow", "Juno Dray"], ["Orla Venn", "Pim Aster"], ["Rhea Sol", "Tomas Quill"]];
  for (const players of pairs) await act(event, "entries", { players });
  for (const entry of ["1", "2", "3", "4"]) await act(event, "check-ins", { entry });
  await act(event, "phases", { phase: "running" });
  await act(event, "draws", { round: 1 });
  await act(event, "publications", { round: 1 });

  for (const table of [1, 2]) {
    const { stream } = await on(`${event}/`, `${event}/games/`, { round: 1, table, label: String(table) });
    const game = `games/${stream}`;
    await act(game, "hands", { dealer: "S" });
    for (const [seat, tricks] of [["W", 2], ["N", 4], ["E", 3], ["S", 3]]) await act(game, "bids", { seat, tricks });
    await act(game, "totals", { NS: 7, EW: 6 });
    await on(`${game}/`, `${game}/hands/`, { bids: { N: 4, E: 2, S: 3, W: 2 }, tricks: { NS: 8, EW: 5 } });
    for (const { seat, link } of (await call(`${game}/seats/`)).value) {
      if ("NE".includes(seat)) await on(`${game}/`, `${game}/attestations/confirmations/`, { seat, pin: link.pin });
    }
  }
  await act(event, "closings", { round: 1 });
  await act(event, "phases", { phase: "finished" });

  let standings;
  for (let tries = 0; tries < 100; tries += 1) {
    standings = (await call(`${event}/standings/`)).value;
    if (standings.after_round === 1 && standings.behind === 0) break;
    await new Promise((later) => setTimeout(later, 200));
  }
  return { standings, tournament: (await call(`${event}/file/`)).value, records: (await call("game-records/")).value };
}

// `crypto.randomUUID` is missing where a page came without HTTPS.
function uuid() {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) => each.toString(16).padStart(2, "0")).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
