import type { Telling } from "../channel.ts";
import { NOTHING, durationText, labelOf, localText, stateWords } from "../telling.ts";
import { oneLine } from "./one-line.ts";

/** What a message has to say that has little room. Each is one line of plain text. */
export interface Brief {
  /** `up`, `down` or `test`. */
  readonly state: string;
  readonly label: string;
  /** Since when it is in that state, or when the test is, in the account's own time. */
  readonly time: string;
  /** What was seen, or how long it was down; empty where there is nothing to say. */
  readonly remark: string;
}

const REMARK_LENGTH = 200;

export function briefOf(telling: Telling): Brief {
  const { state, since } = telling.alert.notice;
  const isTest = telling.kind === "test";
  return {
    state: isTest ? "test" : stateWords[state],
    label: isTest ? NOTHING : labelOf(telling),
    time: `${isTest ? "at" : "since"} ${localText(since, telling.offsetHours)}`,
    remark: oneLine(remarkOf(telling), REMARK_LENGTH),
  };
}

function remarkOf({ kind, alert: { notice } }: Telling): string {
  const { state, downForMs, result } = notice;
  if (kind === "test") return result.message;
  if (kind === "first")
    return state === "failing" ? `First result: ${result.message}` : "First result";
  if (state === "failing") return result.message;
  return downForMs === undefined ? "" : `Was down for ${durationText(downForMs)}`;
}
