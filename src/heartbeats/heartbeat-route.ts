import { aliasOf, type HeartbeatAlias } from "../domain/heartbeat/heartbeat-alias.ts";
import { InvalidInput, NotFound } from "../kit/errors.ts";
import { percentDecode } from "../kit/http/percent-decode.ts";
import type { Sender, Signal } from "./heartbeat.ts";

export interface HeartbeatRoute {
  /** Undefined if the query or body names the check. */
  readonly sender: Sender | undefined;
  /** Senders for further checks that have the same address from another system. */
  readonly others?: readonly Sender[];
  readonly signal: Signal;
}

const ORIGIN = /^https?:\/\/[^/?#]+/i;
const PREFIX = /^(?:https?:\/\/[^/?#]+)?\/v1(?=[/?#]|$)/i;
/** Maximum exit code of a process (POSIX.1-2024, `exit`). */
const GREATEST_EXIT_CODE = 255;

/** Returns whether a request is a heartbeat, to an address of this service or to one of another system. */
export function isPush(url: string | undefined): boolean {
  return url !== undefined && (PREFIX.test(url) || aliasAt(url) !== undefined);
}

/** The address of another system that a request is for, whether or not a check has it. */
export function aliasAt(url: string): HeartbeatAlias | undefined {
  const [path = ""] = url.replace(ORIGIN, "").split(/[?#]/, 1);
  return path.startsWith("/v1/") ? undefined : aliasOf(path);
}

/** Reads `/v1` and `/v1/<id>/<checktoken>`, the second with `/start`, `/fail`, `/log` or an exit code. */
export function routeOf(url: string): HeartbeatRoute {
  const [path = ""] = url.replace(PREFIX, "").split(/[?#]/, 1);
  const [id, token, word, ...rest] = path.split("/").filter((each) => each !== "");
  if (id === undefined) return { sender: undefined, signal: "alive" };
  const signal = signalOf(word);
  if (token === undefined || signal === undefined || rest.length > 0)
    throw new NotFound(
      "no such address: a heartbeat goes to /v1/<id>/<checktoken>, with /start, /fail, /log or /<exit code> after it where it is about a run",
    );
  return { sender: { id: percentDecode(id), token: percentDecode(token) }, signal };
}

/** Returns the signal for a word; undefined if there is none. */
export function signalOf(word: string | undefined): Signal | undefined {
  if (word === undefined) return "alive";
  if (word === "start" || word === "fail" || word === "log") return word;
  if (!/^\d+$/.test(word)) return undefined;
  if (Number(word) <= GREATEST_EXIT_CODE) return Number(word);
  throw new InvalidInput(`exit code: must be 0 to ${GREATEST_EXIT_CODE}, not ${word.slice(0, 20)}`);
}
