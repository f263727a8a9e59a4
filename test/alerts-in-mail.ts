import { headerOf, partOf } from "./peers/smtp.ts";

/** The alerts in a mail: its subject, or of several alerts the state and the name of each. */
export function alertsInMail(raw: string): readonly string[] {
  const hasSeveral = headerOf(raw, "x-watchpost-alerts")?.includes(",") === true;
  if (!hasSeveral) return [headerOf(raw, "subject") ?? ""];
  const lines = partOf(raw, "text/plain").split("\r\n");
  const [, state = ""] = /^\[([^\]]+)\]/.exec(headerOf(raw, "subject") ?? "") ?? [];
  let word = state;
  return lines.flatMap((line) => {
    word = /^([A-Z][\w ]+):$/.exec(line)?.[1] ?? word;
    const [, name] = /^- ([^:]+): /.exec(line) ?? [];
    return name === undefined ? [] : [`[${word}] ${name}`];
  });
}
