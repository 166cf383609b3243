#!/usr/bin/env -S node --experimental-websocket
// Starts an enrichment job, watches it live and prints the books found.
//
//   node --experimental-websocket enrich.mjs ISBN...     BOOKSTRACK_URL is the API's address (default: http://127.0.0.1:8787)
//
// Node 22 and later do not need the option. Except for `process`, the code also runs in browsers. Nothing needs to be installed.
const api = process.env.BOOKSTRACK_URL ?? "http://127.0.0.1:8787";

const sleep = (seconds) => new Promise((wake) => setTimeout(wake, 1000 * seconds));

// Makes a request, and repeats it if the connection is lost or the API asks the client to wait.
async function call(path, body, attempts = 5) {
  const answer = await fetch(api + path, body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  if (attempts > 1 && [undefined, 429, 503].includes(answer?.status)) {
    await sleep(answer?.headers.get("Retry-After") ?? 1);
    return call(path, body, attempts - 1);
  }
  if (!answer) throw new Error("the API cannot be reached");
  const { success, data, error } = await answer.json();
  if (!success) throw new Error(`${error.code}: ${error.message}`);
  return data;
}

// One connection: resolves with the job's last frame, or with undefined if the connection is lost first.
function connect(address, onFrame) {
  return new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.onopen = () => socket.send('{"type":"ready"}');
    socket.onclose = () => resolve(undefined);
    socket.onerror = () => resolve(undefined);
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      onFrame(frame);
      const ended = ["job_complete", "error"].includes(frame.type) || frame.payload.status === "job_cancelled";
      if (ended) resolve(frame);
    };
  });
}

async function watch(job, token) {
  const address = `${api.replace("http", "ws")}/ws/progress?jobId=${job}&token=${token}`;
  let since = "";
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const end = await connect(address + since, ({ seq, type, payload }) => {
      // After a reconnect, the server sends every event that follows this one.
      since = `&since=${seq}`;
      attempt = 0;
      if (type === "job_started" || type === "job_progress") console.error(`${seq}: ${payload.status}`);
    });
    if (end) return end;
    console.error("connection lost; reconnecting");
    await sleep(Math.min(2 ** attempt, 30) * (0.5 + 0.5 * Math.random()));
  }
  throw new Error("the API cannot be reached");
}

// If the client chooses the jobId, the request can be repeated: the same books return the same job.
const start = await call("/v1/enrichment/batch", { jobId: crypto.randomUUID(), isbns: process.argv.slice(2) });
const end = await watch(start.jobId, start.token);
if (end.type !== "job_complete") throw new Error(end.payload.message ?? "the job was cancelled");
for (const book of (await call(start.resultsUrl)).enrichedBooks) {
  console.log(book.success ? book.enriched.work.title : `${book.isbn}: ${book.error}`);
}
process.exit(0);
