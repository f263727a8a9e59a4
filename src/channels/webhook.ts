import { InvalidInput } from "../kit/errors.ts";
import type { Sealer } from "../kit/seal.ts";
import type { Channel } from "./channel.ts";
import { handOver, SENDER } from "./kit/hand-over.ts";
import { assertForeign } from "./kit/own-address.ts";
import { createSigning } from "./kit/signing.ts";
import { parseTemplate } from "./kit/template.ts";
import { callOf } from "./kit/webhook-call.ts";
import { assertRequest } from "./kit/webhook-request.ts";
import { subjectOf } from "./telling.ts";

const LONGEST_URL = 2000;

/** Tells by an HTTP request, as docs/webhooks.md describes. `url` is the address of this installation. */
export function createWebhookChannel({
  url,
  sealer,
}: {
  readonly url: string;
  readonly sealer: Pick<Sealer, "derive">;
}): Channel {
  const own = new URL(url);
  const { secretOf, signatureOf } = createSigning(sealer);
  return {
    kind: "webhook",
    from: SENDER,
    trouble: undefined,
    parseAddress(address) {
      const given = address.trim();
      if (!fixedPart.test(given) || given.length > LONGEST_URL) throw notUrl(given);
      parseTemplate(given);
      assertForeign(parsedUrl(given), own);
      return given;
    },
    assertRequest,
    secretOf: ({ id }) => secretOf(id),
    destinationOf: (address) => URL.parse(address)?.host ?? "",
    render: (telling) => ({ subject: subjectOf(telling), body: callOf(telling).said }),
    send: (telling, _, wire) =>
      handOver(telling, wire, (stamp) => {
        const call = callOf(telling);
        assertForeign(parsedUrl(call.url), own);
        if (call.service !== undefined) return call;
        const signature = signatureOf(telling.to.id, {
          id: stamp["webhook-id"],
          timestamp: stamp["webhook-timestamp"],
          body: call.body ?? "",
        });
        return { ...call, headers: { ...call.headers, "webhook-signature": signature } };
      }),
    close() {},
  };
}

/** Scheme, user and host hold no variable: whatever is filled in, the call goes to the host that was agreed to. */
const fixedPart = /^https?:\/\/[^/?#\\{}\s]+(?=[/?#]|$)/i;

function parsedUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null) throw notUrl(address);
  return url;
}

function notUrl(address: string): InvalidInput {
  return new InvalidInput(
    `must be a URL such as https://example.com/alerts, with variables after the host only, not ${JSON.stringify(address.slice(0, LONGEST_URL))}`,
  );
}
