import { CLOCK_SKEW_TOLERANCE_MS } from "../kit/clock.ts";
import type { Store } from "../store/store.ts";
import type { HeartbeatState } from "./heartbeat-states.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { hideTokens } from "./hide-tokens.ts";
import { sentText } from "./sent-text.ts";

interface Log extends Pick<Heartbeat, "text" | "message"> {
  readonly at: number;
}

/** Keeps what a job has printed with the last result, below what is kept there: it says neither how the job is nor that it is alive. */
export async function storeLog(
  store: Pick<Store, "write">,
  { tracked, prepared }: HeartbeatState,
  { text, message, at }: Log,
): Promise<"accepted" | "unkept"> {
  const sent = text() ?? message;
  if (sent === undefined) return "accepted";
  const { no: checkNo } = tracked.check;
  const isKept = await store.write(
    async ({ results, evidence }) => {
      const last = await results.last(checkNo, at + CLOCK_SKEW_TOLERANCE_MS);
      if (last === undefined) return false;
      const { startedAt } = last;
      const [kept] = await evidence.list({ checkNo, from: startedAt, to: startedAt });
      const lines = [...(kept === undefined ? [] : [kept.text]), hideTokens(prepared.redact(sent))];
      const both = sentText(Buffer.from(lines.join("\n"))) ?? "";
      await evidence.record({ checkNo, startedAt, flipped: kept?.flipped ?? false, text: both });
      return true;
    },
    { checks: [checkNo] },
  );
  return isKept ? "accepted" : "unkept";
}
