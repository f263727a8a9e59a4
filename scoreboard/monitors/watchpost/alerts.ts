import { partOf } from "../../../test/peers/smtp.ts";
import type { Reading, Received } from "../monitor.ts";

/** The alarms and recoveries in a webhook or a mail of Watchpost. */
export function readAlert({ way, body, headers }: Received): readonly Reading[] {
  return way === "webhook" ? fromWebhook(body) : fromMail(body, headers);
}

interface WebhookBody {
  readonly type: string;
  readonly check: { readonly label: string };
  readonly state: { readonly now: "up" | "down"; readonly previous: "up" | "down" | null };
  readonly result: { readonly sc: string; readonly m: string };
}

function fromWebhook(body: string): readonly Reading[] {
  const { type, check, state, result }: WebhookBody = JSON.parse(body);
  const isAlarm = ["check.down", "check.up"].includes(type);
  const isFirstDown = type === "check.first" && state.now === "down";
  if (!isAlarm && !isFirstDown) return [];
  return [{ target: check.label, state: state.now, reason: `${result.sc}: ${result.m}` }];
}

const STATE = /\b(DOWN|UP)\b/;

function stateOf(word: string): Reading["state"] | undefined {
  if (/STILL|ACKNOWLEDGED|First result: UP/.test(word)) return undefined;
  const [state] = STATE.exec(word) ?? [];
  return state === undefined ? undefined : state === "DOWN" ? "down" : "up";
}

function fromMail(body: string, headers: Received["headers"]): readonly Reading[] {
  const ids = headers["x-watchpost-alerts"];
  if (ids === undefined) return [];
  const raw = `content-type: ${headers["content-type"]}\r\n\r\n${body}`;
  const lines = partOf(raw, "text/plain").split(/\r?\n/);
  return ids.includes(",") ? fromDigest(lines) : fromSingle(lines);
}

/** The first line is the state and the name; facts follow. */
function fromSingle(lines: readonly string[]): readonly Reading[] {
  const [, word = "", target = ""] = /^(.*): ([a-z0-9-]+)$/.exec(lines[0] ?? "") ?? [];
  const state = stateOf(word);
  return state === undefined ? [] : [{ target, state, reason: lines.slice(2).join("\n") }];
}

/** A line for each check, below the state that it has and the reason that several have. */
function fromDigest(lines: readonly string[]): readonly Reading[] {
  let state = stateOf(lines[0] ?? "");
  let shared = "";
  return lines.flatMap((line) => {
    const [, word] = /^([A-Z][\w ]*):$/.exec(line) ?? [];
    if (word !== undefined) {
      state = stateOf(word);
      shared = "";
      return [];
    }
    if (line === "") shared = "";
    const [, target, words = ""] = /^- ([a-z0-9-]+): (.*)$/.exec(line) ?? [];
    if (target === undefined) {
      shared = line;
      return [];
    }
    return state === undefined ? [] : [{ target, state, reason: `${shared} ${words}`.trim() }];
  });
}
