import { z } from "zod";

import { DeliveryFailed } from "../../kit/errors.ts";
import type { Secret } from "../../kit/crypto/secret.ts";
import { requestApi, isAccepted, rejectionOf, type ApiResponse } from "./api-request.ts";
import type { HandleProvider } from "./provider.ts";

export interface MastodonSettings {
  /** The server of the account that writes, without a slash at the end. */
  readonly url: string;
  readonly token: Secret;
}

const posted = z.object({ uri: z.string(), mentions: z.array(z.unknown()) });
const refused = z.object({ error: z.string() });

/** A status that only those can see whom it mentions. */
export function createMastodon({ url, token }: MastodonSettings): HandleProvider {
  return {
    async sendMessage(handle, { id, text }, context) {
      const answer = await requestApi(
        {
          method: "POST",
          url: new URL(`${url}/api/v1/statuses`),
          headers: {
            authorization: `Bearer ${token.reveal()}`,
            "content-type": "application/json",
            // Within an hour the server responds to a repeated request with the existing status.
            "idempotency-key": id,
          },
          body: JSON.stringify({ status: `${handle} ${text}`, visibility: "direct" }),
        },
        context,
      );
      if (!isAccepted(answer)) {
        const now = context.clock.now();
        const words = refused.safeParse(answer.json).data?.error;
        throw rejectionOf(answer, { words, now, retryAfterMs: untilReset(answer, now) });
      }
      const { data } = posted.safeParse(answer.json);
      if (data?.mentions.length === 0)
        throw new DeliveryFailed(`no such account: ${JSON.stringify(handle)}`, {
          retryable: false,
          // Its own server may only be away for a while.
          address: "refused",
        });
      return { response: `${answer.status} ${data?.uri ?? answer.text}` };
    },
  };
}

function untilReset({ status, headers }: ApiResponse, now: number): number | undefined {
  const reset = headers["x-ratelimit-reset"];
  const at = status === 429 && typeof reset === "string" ? Date.parse(reset) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
