import type { AliasSystem } from "../../domain/heartbeat/heartbeat-alias.ts";
import { isRecord } from "../../kit/safe-json.ts";
import type { PushResponse } from "./push-response.ts";

/** Puts an answer into the form that the callers of another system look at. */
export function answerAs(system: AliasSystem, answer: PushResponse): PushResponse {
  const { status, isUnknown = false } = answer;
  const isAccepted = status === 200;
  if (system === "uptime-kuma") {
    if (isAccepted) return { ...answer, body: '{"ok":true}', isText: false };
    // A monitor that is paused reads as one that is not there.
    const isAbsent = status === 403;
    const msg = isAbsent ? "Monitor not found or not active." : sentenceOf(answer);
    return {
      ...answer,
      status: isAbsent ? 404 : status,
      body: JSON.stringify({ ok: false, msg }),
      isText: false,
    };
  }
  const text = isAccepted ? "OK" : sentenceOf(answer);
  if (system === "healthchecks")
    return {
      ...asText(answer, isUnknown ? "not found" : text),
      status: isUnknown ? 404 : status,
      headers: { "access-control-allow-origin": "*" },
    };
  if (system === "gatus" && isAccepted) return asText(answer, "");
  if (system === "deadmanssnitch" && isAccepted) return { ...asText(answer, text), status: 202 };
  return { ...asText(answer, text), status: isUnknown ? 404 : status };
}

function asText(answer: PushResponse, body: string): PushResponse {
  return { ...answer, body, isText: true };
}

function sentenceOf({ body, isText }: PushResponse): string {
  if (isText === true) return body;
  const parsed: unknown = JSON.parse(body);
  return isRecord(parsed) && typeof parsed.error === "string" ? parsed.error : body;
}
