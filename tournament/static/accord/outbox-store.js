// What was tapped on this phone and isn't known to be recorded yet: kept before it is shown, until the server has it.
//
// An entry is one act, a plain object that survives a reload, a restart and being handed to another phone:
//   command   32 hexadecimal digits, chosen here from crypto.getRandomValues or by the form: the same for ever, the key
//   stream    the id of the game that it is about
//   seq       a whole number: entries of one stream are sent in its order, never one before another
//   after     the command that the same phone kept before this one, null for the first of a queue that was made after nothing of it
//   version   the version of the stream that the first one was made on; of the others nobody can know it in advance
//   place     {hand, trick} that it is meant for, as numbers
//   collection  what it adds to: `bids`, `winners`, `sheet`, `confirmations`, `second-entry-3` …
//   body      the fields of its form as application/x-www-form-urlencoded, without token, command, version and place
//   address   where it is sent: the path of the outbox of its table or game
//   typed_at  milliseconds of this phone's clock when it was tapped: a claim
//   words     what it says, in words for people
//   awaits    of the act by which a game begins (collection `games`, its stream is its command): the game before it at its table, of
//             which nothing waits any more when it goes out
//   ends      true for an act that ends its hand though others of its kind don't: the pass of the last who speaks
//   by        the mark of whom this browser belonged to (the cookie `whose`): nobody else sends it
//   handed_over  true for an act that another phone gave to this one: its events say so
//   state     `kept`, or `refused` once the server said no: then `problem` has its answer and all after it wait
//   tries     how often it was sent
// All functions give promises; they reject where the browser keeps nothing. Another tab is told of each change.

const outboxStore = (() => {
  const NAME = "accord-outbox";
  const LEASE = 4000; // milliseconds for which a tab is the one that sends
  const JOURNAL = 500; // what became of so many entries is remembered
  let opened;

  const told = globalThis.BroadcastChannel ? new BroadcastChannel(NAME) : null;
  const listeners = new Set();
  if (told) told.onmessage = () => listeners.forEach((listener) => listener());

  const answered = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  function open() {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("entries", { keyPath: "command" }).createIndex("stream", ["stream", "seq"]);
        request.result.createObjectStore("journal", { autoIncrement: true }).createIndex("command", "command");
        request.result.createObjectStore("seen", { keyPath: "stream" });
        request.result.createObjectStore("lease", { keyPath: "name" });
      };
      request.onsuccess = () => {
        request.result.onversionchange = () => request.result.close();
        request.result.onclose = () => (opened = undefined);
        resolve(request.result);
      };
      request.onerror = request.onblocked = () => reject(request.error ?? new Error("blocked"));
    }).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  // What `act` does with these stores, all or nothing: it stands once the disk has it.
  async function change(names, act) {
    const transaction = (await open()).transaction(names, "readwrite", { durability: "strict" });
    const stores = names.map((name) => transaction.objectStore(name));
    const stands = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("not kept"));
    });
    stands.catch(() => undefined); // it is said below, also where `act` fails first
    let result;
    try {
      result = await act(...stores);
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // It has ended already.
      }
      throw error;
    }
    await stands;
    return result;
  }

  function changed() {
    told?.postMessage("changed");
    listeners.forEach((listener) => listener());
  }

  const ofStream = (stream) => IDBKeyRange.bound([stream, -Infinity], [stream, Infinity]);
  const inOrder = (entries, stream) =>
    answered(entries.index("stream").getAll(stream === undefined ? null : ofStream(stream)));

  // The entries of a stream, or of all, in the order in which they go out.
  async function kept(stream) {
    return inOrder((await open()).transaction("entries").objectStore("entries"), stream);
  }

  // The entry as it is kept now, behind all of its stream. One whose command is kept already stays what it is. `behind` is the entry
  // that it was made after: where that one was sent meanwhile, it comes after it all the same.
  async function keep({ behind, ...entry }) {
    const made = await change(["entries", "journal"], async (entries, journal) => {
      const before = (await inOrder(entries, entry.stream)).at(-1);
      const sent = !before && behind ? (await answered(journal.index("command").get(behind)))?.became === "sent" : false;
      const whole = { version: null, place: {}, words: "", by: whoseNow(), ...entry };
      whole.command ??= freshCommand();
      const known = await answered(entries.get(whole.command));
      if (known) return known;
      Object.assign(whole, { seq: (before?.seq ?? 0) + 1, after: before?.command ?? (sent ? behind : null) });
      Object.assign(whole, { typed_at: entry.typed_at ?? Date.now(), state: "kept", tries: 0 });
      await answered(entries.add(whole));
      return whole;
    });
    changed();
    return made;
  }

  // Entries of another phone become ours: same commands, same order, behind our own. How many are new here.
  async function adopt(others) {
    const count = await change(["entries", "journal"], async (entries, journal) => {
      let taken = 0;
      for (const entry of others) {
        const [here, over] = await Promise.all([
          answered(entries.get(entry.command)),
          answered(journal.index("command").count(entry.command)),
        ]);
        if (here || over) continue;
        const before = (await inOrder(entries, entry.stream)).at(-1);
        await answered(entries.add({ ...entry, by: whoseNow(), handed_over: true, seq: (before?.seq ?? 0) + 1, state: "kept", problem: undefined, tries: 0 }));
        taken += 1;
      }
      return taken;
    });
    changed();
    return count;
  }

  // The entry is over: it was sent, or given up (`became` says which); the journal remembers it.
  async function dropped(command, became = "sent") {
    await change(["entries", "journal"], async (entries, journal) => {
      const entry = await answered(entries.get(command));
      if (!entry) return;
      await answered(entries.delete(command));
      await remember(journal, { ...entry, became, at: Date.now() });
      if (became !== "sent") await follows(entries, entry, entry.after, entry.version);
    });
    changed();
  }

  // What came after an entry that isn't sent comes after what was before it.
  async function follows(entries, gone, after, version) {
    for (const entry of await inOrder(entries, gone.stream)) {
      if (entry.after === gone.command) await answered(entries.put({ ...entry, after, version: after ? entry.version : version }));
    }
  }

  async function remember(journal, row) {
    await answered(journal.add(row));
    const keys = await answered(journal.getAllKeys());
    for (const key of keys.slice(0, -JOURNAL)) await answered(journal.delete(key));
  }

  // The entry again, on top of what the server has by now, as another command; the old one is in the journal.
  async function replaced(command, { version, place }) {
    const made = await change(["entries", "journal"], async (entries, journal) => {
      const entry = await answered(entries.get(command));
      if (!entry) return null;
      const again = { ...entry, command: freshCommand(), after: null, version, place: { ...entry.place, ...place }, state: "kept", tries: 0 };
      delete again.problem;
      await answered(entries.delete(command));
      await answered(entries.add(again));
      await follows(entries, entry, again.command);
      await remember(journal, { ...entry, became: again.command, at: Date.now() });
      return again;
    });
    changed();
    return made;
  }

  // The entry says something else, in its place, as another command: the server may have the old one already.
  async function rewritten(command, said) {
    const made = await change(["entries", "journal"], async (entries, journal) => {
      const entry = await answered(entries.get(command));
      if (!entry) return null;
      const again = { ...entry, ...said, command: freshCommand(), state: "kept", tries: 0, typed_at: Date.now() };
      delete again.problem;
      await answered(entries.delete(command));
      await answered(entries.add(again));
      await follows(entries, entry, again.command);
      await remember(journal, { ...entry, became: again.command, at: Date.now() });
      return again;
    });
    changed();
    return made;
  }

  async function note(command, said) {
    await change(["entries"], async (entries) => {
      const entry = await answered(entries.get(command));
      if (entry) await answered(entries.put({ ...entry, ...said }));
    });
    changed();
  }

  // Whether this tab is the one that sends, for the next seconds. A clock that was set back ends no tab's turn late.
  async function leased(owner) {
    return change(["lease"], async (leases) => {
      const [held, now] = [await answered(leases.get("sender")), Date.now()];
      const others = held && held.owner !== owner && now < held.until && held.until - now <= LEASE;
      if (!others) await answered(leases.put({ name: "sender", owner, until: now + LEASE }));
      return !others;
    });
  }

  async function released(owner) {
    await change(["lease"], async (leases) => {
      if ((await answered(leases.get("sender")))?.owner === owner) await answered(leases.delete("sender"));
    });
  }

  // What this phone saw last of a stream: {stream, address, version, …}; a later version takes the place of an earlier one.
  async function see(row) {
    await change(["seen"], async (seen) => {
      const before = await answered(seen.get(row.stream));
      if (!before || before.version <= row.version) await answered(seen.put(row));
    });
  }

  async function seen(stream) {
    return answered((await open()).transaction("seen").objectStore("seen").get(stream));
  }

  // Nothing of this stream is kept any more: it is final.
  async function wiped(stream) {
    await change(["entries", "seen", "journal"], async (entries, seen, journal) => {
      await answered(seen.delete(stream));
      for (const entry of await inOrder(entries, stream)) await answered(entries.delete(entry.command));
      const [keys, rows] = await Promise.all([answered(journal.getAllKeys()), answered(journal.getAll())]);
      for (const [place, row] of rows.entries()) if (row.stream === stream) await answered(journal.delete(keys[place]));
    });
    changed();
  }

  // Another game is at this table by now: of those before it goes what is remembered, where nothing of them waits.
  async function wipedBefore({ stream, address }) {
    const rows = [...(await answered((await open()).transaction("seen").objectStore("seen").getAll())), ...(await journal())];
    const before = new Set(rows.filter((row) => row.address === address && row.stream !== stream).map((row) => row.stream));
    for (const each of before) if (!(await kept(each)).length) await wiped(each);
  }

  async function journal() {
    return answered((await open()).transaction("journal").objectStore("journal").getAll());
  }

  // crypto.randomUUID exists with a secure connection only.
  function freshCommand() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // Whose this browser is just now; "" before anyone came.
  const whoseNow = () => /(?:^|; )whose=([^;]*)/.exec(document.cookie)?.[1] ?? "";

  // Whether someone else tapped it here, so that it isn't sent until they are back. Words about hands count for a seat: then another
  // seat on the same phone is someone else, too.
  function isOthers({ by, collection }) {
    if (!by) return false;
    const isWord = /^(confirmations|disputes|second-entry-.*)$/.test(collection);
    return isWord ? by !== whoseNow() : by.split(".")[0] !== whoseNow().split(".")[0];
  }

  const onChange = (listener) => listeners.add(listener);

  return { kept, keep, adopt, dropped, replaced, rewritten, note, leased, released, see, seen, wiped, wipedBefore, journal, freshCommand, isOthers, onChange };
})();
