import type { Telling } from "../channel.ts";
import { durationText, labelOf, localText, stateWords } from "../telling.ts";
import { oneLine } from "./one-line.ts";

/** What a message has to say that has little room. Each is one line of plain text. */
export interface Brief {
  /** `up` or `down`. */
  readonly state: string;
  readonly label: string;
  /** When that state began, in the account's own time. */
  readonly since: string;
  /** What was seen, or how long it was down; empty where there is nothing to say. */
  readonly remark: string;
}

const REMARK_LENGTH = 200;

export function briefOf(telling: Telling): Brief {
  const { state, since } = telling.alert.notice;
  return {
    state: stateWords[state],
    label: labelOf(telling),
    since: localText(since, telling.offsetHours),
    remark: oneLine(remarkOf(telling), REMARK_LENGTH),
  };
}

function remarkOf({ kind, alert: { notice } }: Telling): string {
  const { state, downForMs, result } = notice;
  if (kind === "first")
    return state === "failing" ? `First result: ${result.message}` : "First result";
  if (state === "failing") return result.message;
  return downForMs === undefined ? "" : `Was down for ${durationText(downForMs)}`;
}
