import type { PreparedPushCheck } from "../checks/check-type.ts";
import { failed, type Outcome } from "../domain/run/outcome.ts";
import type { Heartbeat, Signal } from "./heartbeat.ts";
import { hideTokens } from "./hide-tokens.ts";

type Judge = Pick<PreparedPushCheck, "judge" | "redact">;

/** What a heartbeat says of its check. Metrics count unless the sender has failed anyway. */
export function judgeHeartbeat({ judge, redact }: Judge, heartbeat: Heartbeat): Outcome {
  const { signal, data, message, runtimeMs } = heartbeat;
  const found = failureOf(signal) ?? judge(data);
  // What metrics are out of their ranges says more than the sender, who did not know that.
  const isOwn = found.passed || found.reason !== "metric";
  const text = data === undefined || !found.passed ? heartbeat.text() : undefined;
  return {
    ...found,
    ...(message !== undefined && isOwn && { message: hideTokens(redact(message)) }),
    ...(runtimeMs !== undefined && { runtimeMs }),
    ...(text !== undefined && { evidence: hideTokens(redact(text)) }),
  };
}

function failureOf(signal: Signal): Outcome | undefined {
  if (signal === "fail") return failed("status", "Failure", "The sender reported a failure");
  if (typeof signal === "string" || signal === 0) return undefined;
  return failed("status", `Exit ${signal}`, `The exit code was ${signal}`);
}
