import type { AlertContext, MessageKind } from "../channel.ts";
import { NOTHING_IS_DOWN, labelOf, lateText, stateWords } from "./alert-text.ts";
import { oneLine } from "./one-line.ts";
import { besideText, durationText, localText } from "./times.ts";

/** The parts of a short message. Each is one line of plain text. */
export interface ShortText {
  /** `up`, `down`, `still down`, `acknowledged` or `test`. */
  readonly state: string;
  readonly label: string;
  /** Since when it is in that state, or when the test is, in the account's own time. */
  readonly time: string;
  /** Failure text or duration of the outage; may be empty. */
  readonly detail: string;
}

const REMARK_LENGTH = 200;
const UNDELIVERED = "Over before this was delivered";

export function shortTextOf(context: AlertContext): ShortText {
  const { state } = context.alert.notice;
  const isTest = context.kind === "test";
  return {
    state: isTest ? "test" : (goingOn[context.kind] ?? stateWords[state]),
    label: isTest ? NOTHING_IS_DOWN : labelOf(context),
    time: timeOf(context),
    detail: oneLine(remarkOf(context), REMARK_LENGTH),
  };
}

function timeOf({ kind, alert: { notice }, timeZone }: AlertContext): string {
  const { since, downForMs } = notice;
  if (kind === "missed" && downForMs !== undefined) {
    const began = since - downForMs;
    return `from ${localText(began, timeZone)} to ${besideText(since, began, timeZone)}`;
  }
  return `${kind === "test" ? "at" : "since"} ${localText(since, timeZone)}`;
}

/** Texts for a current or missed outage. */
const goingOn: Readonly<Partial<Record<MessageKind, string>>> = {
  reminder: "still down",
  acknowledged: "acknowledged",
  missed: "was down",
};

function remarkOf(context: AlertContext): string {
  const { kind, alert } = context;
  const { state, downForMs, result, acknowledgement } = alert.notice;
  const late = lateText(context);
  if (kind === "test") return result.message;
  if (kind === "missed") return UNDELIVERED;
  if (kind === "first")
    return state === "failing" ? `First result: ${result.message}` : "First result";
  if (kind === "acknowledged" && acknowledgement !== undefined)
    return `By ${acknowledgement.by}${acknowledgement.note === "" ? "" : `: ${acknowledgement.note}`}`;
  if (state === "failing") return late === "" ? result.message : `${result.message}. Late: ${late}`;
  return downForMs === undefined ? "" : `Was down for ${durationText(downForMs)}`;
}
