import type { Notice } from "../../domain/alert/alert.ts";
import type { Reason } from "../../domain/run/outcome.ts";

/** Describes a result without repetition: only the message if it contains the short text. */
export function foundText({
  state,
  result: { text, message },
}: Pick<Notice, "state" | "result">): string {
  if (state === "passing") return text;
  return message.toLowerCase().includes(text.toLowerCase()) ? message : `${text}: ${message}`;
}

/** Why several runs failed whose messages differ. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  ok: "passed",
  timeout: "no answer in time",
  refused: "connection refused",
  unreachable: "not reachable",
  dns: "name not resolved",
  tls: "TLS failed",
  certificate: "certificate not accepted",
  protocol: "answer not understood",
  auth: "sign-in refused",
  mismatch: "unexpected answer",
  status: "HTTP status",
  redirect: "redirect not followed",
  listed: "listed",
  stale: "no heartbeat in time",
  metric: "metric out of range",
  blocked: "address not allowed",
};
