import { InvalidInput } from "../kit/errors.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import type { AlertContext, Channel, Message } from "./channel.ts";
import { MAX_DIGEST_SIZE, renderedDigest } from "./webhook/rendered-digest.ts";
import { sendHttp, SENDER_NAME } from "./webhook/send-http.ts";
import { assertNotOwnUrl, type OwnAddresses } from "./webhook/loop-guard.ts";
import { createSigning } from "./webhook/signing.ts";
import { parseTemplate } from "./format/template.ts";
import { canCarryDigest, renderRequest } from "./webhook/request.ts";
import { assertRequestSettings } from "./webhook/request-settings.ts";
import { serviceAt, serviceNamed } from "./services/registry.ts";
import { subjectOf } from "./format/alert-text.ts";

const MAX_URL_LENGTH = 2000;

/** Sends an HTTP request, as docs/webhooks.md describes. */
export function createWebhookChannel({
  url,
  listener,
  sealer,
}: OwnAddresses & { readonly sealer: Pick<Sealer, "deriveKey"> }): Channel {
  const installation = { url, listener };
  const { secretOf, signatureOf } = createSigning(sealer);
  const render = (context: AlertContext): Message => ({
    subject: subjectOf(context),
    ...renderRequest(context),
  });
  const parseUrl = (address: string): string => {
    const given = address.trim();
    if (!fixedPart.test(given) || given.length > MAX_URL_LENGTH) throw notUrl(given);
    parseTemplate(given);
    assertNotOwnUrl(parsedUrl(given), installation);
    return given;
  };
  return {
    from: SENDER_NAME,
    unavailableReason: undefined,
    parseAddress: parseUrl,
    otherForm: {
      accepts(address) {
        if (/^\s*[a-z][a-z\d+.-]*:\/\//i.test(address)) return false;
        // Anything but the missing scheme is refused.
        parseUrl(`https://${address.trim()}`);
        return true;
      },
      consequence: "so nothing can be sent there",
    },
    assertRequestSettings,
    signingSecretOf: ({ id }) => secretOf(id),
    resolvesIncidents: (address) => serviceAt(address)?.resolvesIncidents === true,
    acknowledgesIncidents: (address) => serviceAt(address)?.acknowledgesIncidents === true,
    // A request of the account's own has one body, which cannot both open and resolve an incident.
    dropsPastOutages: ({ address, request }) =>
      request?.data !== undefined || serviceAt(address)?.dropsPastOutages === true,
    render,
    groupedAlerts: "first_ups",
    maxDigestSize: MAX_DIGEST_SIZE,
    renderDigest: (contexts, id) =>
      canCarryDigest(contexts[0].to) ? renderedDigest(contexts, { id, render }) : undefined,
    send(outgoing, context) {
      const { service: name, credentials } = outgoing.message.request ?? {};
      const service = serviceNamed(name);
      const sign: Parameters<typeof sendHttp>[2]["sign"] = (attempt, body) => ({
        "webhook-signature": signatureOf(outgoing.to.id, {
          id: attempt["webhook-id"],
          timestamp: attempt["webhook-timestamp"],
          body,
        }),
      });
      return sendHttp(
        outgoing,
        context,
        service === undefined ? { installation, sign } : { installation, service, credentials },
      );
    },
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
    `must be a URL such as https://example.com/alerts, with variables after the host only, not ${JSON.stringify(address.slice(0, MAX_URL_LENGTH))}`,
  );
}
