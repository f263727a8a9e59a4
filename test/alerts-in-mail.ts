import { headerOf, partOf } from "./peers/smtp.ts";

/** What a mail tells: its subject, or of several alerts a line each. */
export function alertsInMail(raw: string): readonly string[] {
  const tellsSeveral = headerOf(raw, "x-watchpost-alerts")?.includes(",") === true;
  if (!tellsSeveral) return [headerOf(raw, "subject") ?? ""];
  const [, list = ""] = partOf(raw, "text/plain").split("\r\n\r\n");
  return list.split("\r\n").map((line) => line.replace(/^- /, ""));
}
