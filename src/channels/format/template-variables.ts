import { localText } from "./times.ts";
import type { AlertContext } from "../channel.ts";
import type { Variable, Variables } from "./template.ts";

const MINUTE_MS = 60_000;
const MAX_VARIABLE_LENGTH = 1000;

/** Returns the values of an alert for the variables. */
export function variablesOf({ alert: { notice }, kind, timeZone }: AlertContext): Variables {
  const { check, result, state, downForMs, confirmations } = notice;
  const passes = state === "passing";
  const target = said(check.target);
  const type = said(check.type);
  // A text that shows a message wherever there is one means what went wrong.
  const message = said(passes ? "" : result.message);
  const success = said(String(passes), passes);
  const minutes = downForMs === undefined ? "" : String(Math.round(downForMs / MINUTE_MS));
  return {
    event: said(kind),
    _id: said(check.id),
    label: said(check.label),
    target,
    tg: target,
    type,
    t: type,
    runtime: said(String(result.runtimeMs)),
    checktime: said(localText(result.startedAt, timeZone)),
    message,
    m: message,
    success,
    su: success,
    downtime: said(minutes),
    // As a condition it chooses between minute and minutes.
    downminutes: said(minutes, minutes !== "" && minutes !== "1"),
    description: said(check.description),
    interval: said(String(check.intervalMinutes)),
    location: said(confirmations.at(-1)?.location ?? ""),
  };
}

function said(text: string, isTrue = text !== ""): Variable {
  return { text: text.slice(0, MAX_VARIABLE_LENGTH).toWellFormed(), isTrue };
}
