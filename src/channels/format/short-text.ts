import type { AlertContext, MessageKind } from "../channel.ts";
import { NOTHING_IS_DOWN, labelOf, stateWords } from "./alert-text.ts";
import { oneLine } from "./one-line.ts";
import { durationText, localText } from "./times.ts";

/** The parts of a short message. Each is one line of plain text. */
export interface ShortText {
  /** `up`, `down`, `still down`, `acknowledged` or `test`. */
  readonly state: string;
  readonly label: string;
  /** Since when it is in that state, or when the test is, in the account's own time. */
  readonly time: string;
  /** What the check found, or how long it was down; may be empty. */
  readonly detail: string;
}

const REMARK_LENGTH = 200;

export function shortTextOf(context: AlertContext): ShortText {
  const { state, since } = context.alert.notice;
  const isTest = context.kind === "test";
  return {
    state: isTest ? "test" : (goingOn[context.kind] ?? stateWords[state]),
    label: isTest ? NOTHING_IS_DOWN : labelOf(context),
    time: `${isTest ? "at" : "since"} ${localText(since, context.timeZone)}`,
    detail: oneLine(remarkOf(context), REMARK_LENGTH),
  };
}

/** What is said of an outage that goes on. */
const goingOn: Readonly<Partial<Record<MessageKind, string>>> = {
  reminder: "still down",
  acknowledged: "acknowledged",
};

function remarkOf({ kind, alert: { notice } }: AlertContext): string {
  const { state, downForMs, result, acknowledgement } = notice;
  if (kind === "test") return result.message;
  if (kind === "first")
    return state === "failing" ? `First result: ${result.message}` : "First result";
  if (kind === "acknowledged" && acknowledgement !== undefined)
    return `By ${acknowledgement.by}${acknowledgement.note === "" ? "" : `: ${acknowledgement.note}`}`;
  if (state === "failing") return result.message;
  return downForMs === undefined ? "" : `Was down for ${durationText(downForMs)}`;
}
