import { InvalidInput } from "../kit/errors.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import type { Channel } from "./channel.ts";
import { sendHttp, SENDER_NAME } from "./webhook/send-http.ts";
import { assertNotOwnUrl } from "./webhook/loop-guard.ts";
import { createSigning } from "./webhook/signing.ts";
import { parseTemplate } from "./format/template.ts";
import { requestOf } from "./webhook/request.ts";
import { assertRequestSettings } from "./webhook/request-settings.ts";
import { subjectOf } from "./format/alert-text.ts";

const LONGEST_URL = 2000;

/** Tells by an HTTP request, as docs/webhooks.md describes. `url` is the address of this installation. */
export function createWebhookChannel({
  url,
  sealer,
}: {
  readonly url: string;
  readonly sealer: Pick<Sealer, "deriveKey">;
}): Channel {
  const own = new URL(url);
  const { secretOf, signatureOf } = createSigning(sealer);
  return {
    kind: "webhook",
    from: SENDER_NAME,
    unavailableReason: undefined,
    parseAddress(address) {
      const given = address.trim();
      if (!fixedPart.test(given) || given.length > LONGEST_URL) throw notUrl(given);
      parseTemplate(given);
      assertNotOwnUrl(parsedUrl(given), own);
      return given;
    },
    assertRequestSettings: assertRequestSettings,
    signingSecretOf: ({ id }) => secretOf(id),
    destinationOf: (address) => URL.parse(address)?.host ?? "",
    render: (telling) => ({ subject: subjectOf(telling), body: requestOf(telling).storedBody }),
    send: (telling, _, wire) =>
      sendHttp(telling, wire, (stamp) => {
        const call = requestOf(telling);
        assertNotOwnUrl(parsedUrl(call.url), own);
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
