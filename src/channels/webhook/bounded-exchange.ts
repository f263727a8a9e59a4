import { createDeadline } from "../../kit/abort.ts";
import { exchange, type HttpRequest, type HttpResponse } from "../../kit/http/exchange.ts";
import type { SendContext } from "../channel.ts";

const CONNECT_MS = 10_000;

/** One exchange, which is interrupted where the receiver is not reached within ten seconds, and when the signal aborts. */
export async function boundedExchange(
  request: HttpRequest,
  { egress, signal, clock }: Pick<SendContext, "egress" | "signal" | "clock">,
): Promise<HttpResponse> {
  using deadline = createDeadline(clock, CONNECT_MS);
  const lastPhase = request.url.protocol === "https:" ? "tls" : "connect";
  return await exchange(request, {
    egress,
    signal: AbortSignal.any([signal, deadline.signal]),
    monotonic: clock.monotonic,
    onProgress({ phases }) {
      if (phases[lastPhase] !== undefined) deadline.cancel();
    },
  });
}
