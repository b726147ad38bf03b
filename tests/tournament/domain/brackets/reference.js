// Prints the trees that brackets-manager draws and plays, one JSON list a line:
// [entries, elimination, [[bracket, round, number, place, place], ...]] for every match that two entries come to.
// A place is "s3" (seed 3), "w2" or "l2" (winner, loser of the second match of this list). Nothing is known here of how
// a tree runs: every match is played to its end, the second place winning, and what moves is looked at.
// Run where brackets-manager and brackets-memory-db are installed: node reference.js 4 128
const { BracketsManager } = require("brackets-manager");
const { InMemoryDatabase } = require("brackets-memory-db");

const TYPES = { single: "single_elimination", double: "double_elimination" };
const SIDES = ["opponent1", "opponent2"];

async function played(entries, elimination) {
  const storage = new InMemoryDatabase();
  const manager = new BracketsManager(storage);
  let size = 4;
  while (size < entries) size *= 2;
  const settings = elimination === "single"
    ? { seedOrdering: ["inner_outer"], consolationFinal: true }
    : { grandFinal: "double" };
  const seeding = Array.from({ length: size }, (_, seed) => (seed < entries ? `entry ${seed + 1}` : null));
  await manager.create.stage({ tournamentId: 0, name: "x", type: TYPES[elimination], seeding, settings });

  const source = new Map(); // "match side" -> where its entry came from
  const held = new Map(); // "match side" -> who is there
  const look = async (from) => {
    for (const match of await storage.select("match")) {
      for (const side of SIDES) {
        const id = match[side] && match[side].id;
        const key = `${match.id} ${side}`;
        if (id === null || id === undefined || held.has(key)) continue;
        held.set(key, id);
        source.set(key, from(id));
      }
    }
  };
  const place = new Map(); // who -> seed, for the first look
  for (const each of await storage.select("participant")) place.set(each.id, Number(each.name.split(" ")[1]));
  await look((id) => ["s", place.get(id)]);

  const done = new Set();
  for (;;) {
    const matches = await storage.select("match");
    const match = matches.find((each) => each.status === 2 && !done.has(each.id));
    if (!match) break;
    done.add(match.id);
    const winner = match.opponent2.id;
    await manager.update.match({ id: match.id, opponent1: { score: 0 }, opponent2: { score: 1, result: "win" } });
    await look((id) => [id === winner ? "w" : "l", match.id]);
  }

  const matches = (await storage.select("match")).filter((each) => done.has(each.id));
  const groups = new Map((await storage.select("group")).map((each) => [each.id, each.number]));
  const rounds = new Map((await storage.select("round")).map((each) => [each.id, each.number]));
  const place_of = new Map(matches.map((each, index) => [each.id, index + 1]));
  const written = ([kind, number]) => kind + (kind === "s" ? number : place_of.get(number));
  return matches.map((each) => [
    groups.get(each.group_id), rounds.get(each.round_id), each.number,
    ...SIDES.map((side) => written(source.get(`${each.id} ${side}`))),
  ]);
}

(async () => {
  const [first, last] = process.argv.slice(2).map(Number);
  for (let entries = first; entries <= last; entries++) {
    for (const elimination of Object.keys(TYPES)) {
      console.log(JSON.stringify([entries, elimination, await played(entries, elimination)]));
    }
  }
})();
