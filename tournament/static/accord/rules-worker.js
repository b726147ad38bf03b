// The rules in a page: Python for browsers with the rules in it, in a worker, so that the page goes on however long they take. A
// page says where all of it is ({take: {python, files, rules}}) and then asks ({ask, door, texts}); texts go in and come out.
// Answered under an address of its own, with leave to compile what it fetches and nothing else.

let door; // scoring/page_door.py, once it is here

self.addEventListener("message", async ({ data }) => {
  try {
    if (data.take) postMessage({ here: await taken(data.take) });
    else postMessage({ ask: data.ask, text: door[data.door](...data.texts) });
  } catch (failure) {
    postMessage({ ask: data.ask, failed: String(failure) });
  }
});

async function taken({ python, files, rules }) {
  const archive = await fetched(rules);
  for (const address of files) await fetched(address);
  postMessage({ starting: true });
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const runtime = await loadPyodide({ indexURL: python });
  runtime.FS.writeFile("/rules.zip", archive);
  runtime.runPython("import sys; sys.path.insert(0, '/rules.zip')");
  door = runtime.pyimport("scoring.page_door");
  return true;
}

// The bytes of a file, each piece told as it comes. The browser has it from then on: what asks for it again is answered at once.
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${address}`);
  const pieces = [];
  const reading = answer.body.getReader();
  for (let { done, value } = await reading.read(); !done; { done, value } = await reading.read()) {
    pieces.push(value);
    postMessage({ came: value.length });
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
