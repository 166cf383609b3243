// The session: requests of the console, the login, and what an operator may do.
import { call, Failure } from "./api.js";

const root = "/console/api";
let state = { mode: "read", needsLogin: false };
const listeners = new Set();

export const session = () => state;
export const mayAct = () => state.mode === "write";

/** Calls back when the session begins or ends. */
export function onSession(listener) { listeners.add(listener); }

function change(next) {
  state = next;
  for (const listener of listeners) listener(state);
}

export async function load() { change(await call(`${root}/session`)); }

export async function login(token) {
  change(await call(`${root}/login`, { method: "POST", body: { token }, headers: { "X-Console-CSRF": "login" } }));
}

export async function logout() { change(await post("/logout")); }

/** The answer to a request below the console's path. Throws `Failure`; a session that has ended leads to the login. */
export async function get(path, options = {}) { return guarded(() => call(root + path, options)); }

export async function post(path, body) {
  return guarded(() => call(root + path, { method: "POST", body, headers: { "X-Console-CSRF": state.csrf ?? "" } }));
}

/** A request whose answer is read piece by piece, or as bytes. */
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
    throw new Failure(error.message ?? `The service answered with status ${answer.status}.`, { status: answer.status });
  });
}

async function guarded(action) {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Failure && error.status === 401 && state.needsLogin) {
      change({ ...state, csrf: undefined, endsAt: undefined });
    }
    throw error;
  }
}

/** What went wrong, as a sentence: the service's own words rather than those for readers. */
export const reason = (failure) => failure.reason || failure.message;
