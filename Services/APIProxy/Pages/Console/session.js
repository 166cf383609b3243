// The session: the console's requests, the login and the operator's permissions.
import { envelope, Failure, send } from "./api.js";
import { setClock } from "./clock.js";

const root = "/console/api";
let state = { mode: "read", needsLogin: false };
const listeners = new Set();

export const mayAct = () => state.mode === "write";
/** Whether a login is required before anything can be read. */
export const isLocked = () => state.needsLogin && !state.csrf;

/** Calls back with the new state when the session begins, ends or changes; `hasEnded` is true if it ended without a logout in this tab. */
export function onSession(listener) { listeners.add(listener); }

function change(next) {
  const previous = state;
  state = next;
  // A new session in another tab, which shares the cookie, continues here without a new view.
  const isSame = next.mode === previous.mode && next.needsLogin === previous.needsLogin && Boolean(next.csrf) === Boolean(previous.csrf);
  if (!isSame) for (const listener of listeners) listener(state);
}

/** The data in a response, which also provides the time. Throws `Failure`. */
async function ask(path, options) {
  const answer = await send(root + path, options);
  setClock(answer);
  return (await envelope(answer)).data;
}

/** Reads the session, which another tab may have replaced or ended. */
export async function load() {
  const next = await ask("/session");
  change({ ...next, hasEnded: Boolean(state.csrf) && !next.csrf });
}

export async function login(token) {
  change(await ask("/login", { method: "POST", body: { token }, headers: { "X-Console-CSRF": "login" } }));
}

export async function logout() { change(await post("/logout")); }

/** The data in the response to a `GET` request. Throws `Failure`; if the session has ended, the login is shown. */
export async function get(path, options = {}) { return guarded(() => ask(path, options)); }

/** Like `get` for a `POST` request. If another tab has logged in since, the request is sent once more with that tab's session. */
export async function post(path, body) {
  const { csrf } = state;
  const request = () => guarded(() => ask(path, { method: "POST", body, headers: { "X-Console-CSRF": state.csrf ?? "" } }));
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 403) throw error;
    await load();
    if (!state.csrf || state.csrf === csrf) throw error;
    return request();
  }
}

/** The response to a request, to be read piece by piece or as bytes. Throws `Failure`. */
export async function open(path, options = {}) {
  return guarded(async () => {
    let answer;
    try {
      answer = await fetch(root + path, options);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Failure("The service cannot be reached.");
    }
    if (answer.ok) return answer;
    const error = (await answer.json().catch(() => null))?.error ?? {};
    throw new Failure(error.message ?? `The service responded with status ${answer.status}.`, { status: answer.status });
  });
}

async function guarded(action) {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Failure && error.status === 401 && state.needsLogin) {
      change({ ...state, csrf: undefined, endsAt: undefined, hasEnded: true });
    }
    throw error;
  }
}

/** What went wrong, as a sentence: the service's own message rather than the one for readers. */
export const reason = (failure) => failure.reason || failure.message;
