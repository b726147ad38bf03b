// A queue of kept acts as texts for QR codes, and back: gzip, whose checksum is over the whole, in Base45 (RFC 9285), cut where
// one code would be too fine for a photo. `ACCORD1/<checksum>/<number>/<of>/<piece>`; a queue is
//   {salon, outbox, entries}: the salon's short name, the path where its acts are sent, and entries as outbox-store.js keeps them.

const handoverCodes = (() => {
  const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
  const PIECE = 700; // bytes of a code: 93 modules wide, ten dots each on a phone held upright
  const MOST_ENTRIES = 2000;
  const MOST_PIECES = 999;
  const LARGEST = 8 * 1024 * 1024; // bytes of what was packed
  const HEAD = /^ACCORD1\/([0-9A-F]{8})\/([1-9]\d{0,2})\/([1-9]\d{0,2})\/([0-9A-Z $%*+\-./:]+)$/;
  const SENT = ["command", "stream", "after", "version", "place", "collection", "body", "typed_at", "words", "awaits"];

  const isCommand = (value) => typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
  const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
  const isText = (value, most) => typeof value === "string" && value.length <= most;
  const SHAPES = {
    command: isCommand,
    stream: isCommand,
    after: (value) => value === null || isCommand(value),
    version: (value) => value === null || isCount(value),
    place: (value) =>
      value !== null && typeof value === "object" && Object.entries(value).every(([name, at]) => ["hand", "trick"].includes(name) && isCount(at)),
    collection: (value) => isText(value, 60) && /^[a-z0-9-]+$/.test(value),
    body: (value) => isText(value, 32 * 1024),
    typed_at: isCount,
    words: (value) => isText(value, 1000),
    awaits: (value) => value === undefined || value === null || isCommand(value), // of a phone whose page is older it says nothing
  };

  function base45(bytes) {
    let text = "";
    for (let place = 0; place < bytes.length; place += 2) {
      const two = place + 1 < bytes.length;
      let rest = two ? bytes[place] * 256 + bytes[place + 1] : bytes[place];
      for (let digit = 0; digit < (two ? 3 : 2); digit += 1) {
        text += ALPHABET[rest % 45];
        rest = Math.floor(rest / 45);
      }
    }
    return text;
  }

  // The bytes, null for what no bytes are written as.
  function bytesOf(text) {
    const bytes = [];
    for (let place = 0; place < text.length; place += 3) {
      const digits = [...text.slice(place, place + 3)].map((each) => ALPHABET.indexOf(each));
      const value = digits.reduceRight((sum, digit) => sum * 45 + digit, 0);
      if (digits.length === 1 || digits.includes(-1) || value > (digits.length === 3 ? 65535 : 255)) return null;
      if (digits.length === 3) bytes.push(value >> 8);
      bytes.push(value & 255);
    }
    return Uint8Array.from(bytes);
  }

  // All that a stream gives; rejects beyond so many bytes.
  async function gathered(stream, most) {
    const parts = [];
    let size = 0;
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return new Blob(parts);
      size += value.length;
      if (size > most) {
        await reader.cancel();
        throw new Error("too long");
      }
      parts.push(value);
    }
  }

  // The texts of the codes, in their order.
  async function codes({ salon, outbox, entries }) {
    const rows = entries.map((entry) => SENT.map((name) => entry[name] ?? null));
    const packing = new Blob([JSON.stringify({ salon, outbox, rows })]).stream().pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await (await gathered(packing, LARGEST)).arrayBuffer());
    const checksum = [...bytes.slice(-8, -4)].map((byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();
    const of = Math.ceil(bytes.length / PIECE);
    return Array.from({ length: of }, (_, place) => {
      const piece = base45(bytes.slice(place * PIECE, (place + 1) * PIECE));
      return `ACCORD1/${checksum}/${place + 1}/${of}/${piece}`;
    });
  }

  // What a code says: {checksum, number, of, bytes}; null for one that is of another kind.
  function pieceOf(text) {
    const [, checksum, number, of, piece] = HEAD.exec(text) ?? [];
    const bytes = piece === undefined ? null : bytesOf(piece);
    if (!bytes || Number(number) > Number(of) || Number(of) > MOST_PIECES) return null;
    return { checksum, number: Number(number), of: Number(of), bytes };
  }

  // The queue of all pieces of one checksum, in any order. Rejects where they don't fit together, or are no queue.
  async function queueOf(pieces) {
    const inOrder = [...pieces].sort((one, other) => one.number - other.number).map(({ bytes }) => bytes);
    const unpacking = new Blob(inOrder).stream().pipeThrough(new DecompressionStream("gzip"));
    const { salon, outbox, rows } = JSON.parse(await (await gathered(unpacking, LARGEST)).text());
    if (!isText(salon, 200) || !isText(outbox, 500) || !Array.isArray(rows) || rows.length > MOST_ENTRIES) throw new Error("no queue");
    const entries = rows.map((row) => {
      const entry = Object.fromEntries(SENT.map((name, place) => [name, row[place]]));
      if (!SENT.every((name) => SHAPES[name](entry[name]))) throw new Error("no entry");
      if (!entry.awaits) delete entry.awaits;
      return { ...entry, address: outbox };
    });
    return { salon, outbox, entries };
  }

  return { codes, pieceOf, queueOf, MOST_ENTRIES };
})();
