import { partOf } from "../../../test/peers/smtp.ts";
import type { Reading, Received } from "../monitor.ts";

/** The alarms and recoveries in a webhook or a mail of Watchpost. */
export function readAlert({ way, body, headers }: Received): readonly Reading[] {
  return way === "webhook" ? fromWebhook(JSON.parse(body)) : fromMail(body, headers);
}

interface WebhookBody {
  readonly type: string;
  /** Alerts in a message about several first results that are up. */
  readonly alerts?: readonly WebhookBody[];
  readonly check: { readonly label: string };
  readonly state: {
    readonly now: "up" | "down";
    readonly previous: "up" | "down" | null;
    readonly since: number;
    readonly duration_ms: number | null;
  };
  readonly result: { readonly sc: string; readonly m: string };
}

function fromWebhook({ type, alerts, check, state, result }: WebhookBody): readonly Reading[] {
  if (alerts !== undefined) return alerts.flatMap(fromWebhook);
  const about = { target: check.label, reason: `${result.sc}: ${result.m}` };
  if (type === "check.missed") {
    const began = new Date(state.since - (state.duration_ms ?? 0)).toISOString();
    return [{ ...about, state: "past", began: began.slice("yyyy-mm-ddThh:".length, -5) }];
  }
  const isAlarm = ["check.down", "check.up"].includes(type);
  const isFirstDown = type === "check.first" && state.now === "down";
  return isAlarm || isFirstDown ? told([state.now], about) : [];
}

type States = readonly Reading["state"][];

function told(states: States, about: Omit<Reading, "state">): readonly Reading[] {
  return states.map((state) => {
    const [, began] = /(?:Went down: |from )[^\n]*?\d\d:(\d\d:\d\d)/.exec(about.reason) ?? [];
    return { ...about, state, ...(state === "past" && began !== undefined && { began }) };
  });
}

/** Returns the states that the first words of a mail, or of a part of it, give to the checks that follow. */
function statesIn(words: string): States {
  if (/STILL|ACKNOWLEDGED|First result: UP/.test(words)) return [];
  // An outage that was over before anybody could be told.
  if (words.includes("WAS DOWN")) return ["past"];
  if (words.includes("DOWN")) return ["down"];
  return words.includes("UP") ? ["up"] : [];
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
  const [, words = "", target = ""] = /^(.*): ([a-z0-9-]+)$/.exec(lines[0] ?? "") ?? [];
  return told(statesIn(words), { target, reason: lines.slice(2).join("\n") });
}

/** A line for each check, below the state that it has and the reason that several have. */
function fromDigest([head = "", ...lines]: readonly string[]): readonly Reading[] {
  let states = statesIn(head);
  let shared = "";
  return lines.flatMap((line) => {
    const [, words] = /^([A-Z][\w ]*):$/.exec(line) ?? [];
    const [, target, details = ""] = /^- ([a-z0-9-]+): (.*)$/.exec(line) ?? [];
    if (words !== undefined) states = statesIn(words);
    if (target !== undefined)
      return told(states, { target, reason: `${shared} ${details}`.trim() });
    // Links are indented, and belong to the line above.
    if (!line.startsWith(" ")) shared = words === undefined ? line : "";
    return [];
  });
}
