import { DeliveryFailed } from "../../kit/errors.ts";
import type { AlertContext, Channel, Message } from "../channel.ts";
import { isKey } from "../format/address-patterns.ts";
import { subjectOf } from "../format/alert-text.ts";
import type { Service } from "../services/service.ts";
import { assertNotOwnUrl, type OwnAddresses } from "./loop-guard.ts";
import { MAX_DIGEST_SIZE, renderedDigest } from "./rendered-digest.ts";
import { sendHttp, SENDER_NAME } from "./send-http.ts";
import { renderServiceRequest } from "./service-request.ts";

interface ServiceChannel extends Pick<Channel, "parseAddress"> {
  /** Set where a key in another form may still be one that the service knows. */
  readonly takesOtherKeys?: true;
  readonly service: Service;
  /** The URL at which the service takes messages for an address. */
  readonly urlOf: (address: string) => string;
  readonly unavailableReason?: string | undefined;
  readonly defaultPriority?: number;
  readonly installation: OwnAddresses;
}

/** Creates a kind of address for one service. */
export function createServiceChannel({
  service,
  parseAddress,
  takesOtherKeys,
  urlOf,
  unavailableReason,
  defaultPriority,
  installation,
}: ServiceChannel): Channel {
  const render = (context: AlertContext): Message => ({
    subject: subjectOf(context),
    ...renderServiceRequest(service, context, { url: urlOf(context.to.address) }),
  });
  return {
    from: SENDER_NAME,
    unavailableReason,
    parseAddress(address) {
      const given = parseAddress(address);
      assertNotOwnUrl(new URL(urlOf(given)), installation);
      return given;
    },
    ...(takesOtherKeys && {
      otherForm: { accepts: isKey, consequence: `so ${service.name} may refuse it` },
    }),
    ...(defaultPriority !== undefined && { defaultPriority }),
    resolvesIncidents: () => service.resolvesIncidents === true,
    dropsPastOutages: () => service.dropsPastOutages === true,
    acknowledgesIncidents: () => service.acknowledgesIncidents === true,
    render,
    groupedAlerts: "first_ups",
    maxDigestSize: MAX_DIGEST_SIZE,
    renderDigest: (contexts, id) => renderedDigest(contexts, { id, render }),
    async send(outgoing, context) {
      if (unavailableReason !== undefined)
        throw new DeliveryFailed(unavailableReason, { retryable: false });
      // The credentials may be of the installation's settings, and those are read at each attempt.
      const credentials = service.credentialsOf?.(new URL(urlOf(outgoing.to.address)));
      return sendHttp(outgoing, context, { installation, service, credentials });
    },
    close() {},
  };
}
