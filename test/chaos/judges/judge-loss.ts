import type { Beat, Finding } from "./judge-states.ts";

/** History of a process that lost files of its database. */
export interface LossStory {
  /** How it ended by itself; undefined where it did not. */
  readonly end: number | NodeJS.Signals | undefined;
  readonly log: string;
  /** Wall time of the loss. */
  readonly lostAt: number;
  /** Every heartbeat that was sent since then. */
  readonly beats: readonly Beat[];
  /** Whether the machine was too busy to act in time. */
  readonly hasStalled: boolean;
}

/** The exit code of a process whose files have to be restored first. */
const FILES_GONE = 78;
const NOTICED_WITHIN_MS = 5000;
/** To log it. */
const SAID_WITHIN_MS = 500;

/** Returns its errors, and whether it noticed the loss. */
export function judgeLoss({ end, log, lostAt, beats, hasStalled }: LossStory): {
  readonly wrong: readonly Pick<Finding, "kind" | "what">[];
  readonly hasNoticed: boolean;
} {
  const wrong: Pick<Finding, "kind" | "what">[] = [];
  const line = log.split("\n").find((each) => each.endsWith('"event":"main.files_gone"}'));
  const stored = beats.filter(({ outcome }) => outcome === "stored").length;
  if (stored > 0)
    wrong.push({ kind: "forgotten", what: `${stored} heartbeats were acknowledged into nothing` });
  if (end === undefined) wrong.push({ kind: "unready", what: "it still runs" });
  else if (end !== FILES_GONE) wrong.push({ kind: "unready", what: `it ended with ${end}` });
  if (line === undefined) wrong.push({ kind: "unready", what: "it did not say why it ends" });
  const noticedMs = line === undefined ? 0 : Date.parse(JSON.parse(line).time) - lostAt;
  if (noticedMs > NOTICED_WITHIN_MS + SAID_WITHIN_MS && !hasStalled)
    wrong.push({ kind: "unready", what: `it noticed that ${noticedMs} ms later` });
  return { wrong, hasNoticed: line !== undefined };
}
