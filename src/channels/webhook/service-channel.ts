import type { AddressKind } from "../../domain/contact.ts";
import { DeliveryFailed } from "../../kit/errors.ts";
import type { Channel, AlertContext } from "../channel.ts";
import { sendHttp, SENDER_NAME } from "./send-http.ts";
import type { PreparedRequest } from "./send-http.ts";
import { assertNotOwnUrl } from "./loop-guard.ts";
import { serviceRequestOf } from "./service-request.ts";
import type { Service } from "../services/service.ts";
import { subjectOf } from "../format/alert-text.ts";

interface ServiceChannel extends Pick<Channel, "parseAddress" | "defaultPriority"> {
  readonly kind: AddressKind;
  readonly service: Service;
  /** Where the service listens for an address. */
  readonly urlOf: (address: string) => string;
  readonly trouble?: string | undefined;
  /** The address of this installation. */
  readonly url: string;
}

/** A kind of address that stands for one service. */
export function createServiceChannel({
  kind,
  service,
  parseAddress,
  urlOf,
  trouble: unavailableReason,
  defaultPriority,
  url,
}: ServiceChannel): Channel {
  const own = new URL(url);
  const callOf = (telling: AlertContext): PreparedRequest =>
    serviceRequestOf(service, telling, { url: urlOf(telling.to.address) });
  return {
    kind,
    from: SENDER_NAME,
    unavailableReason,
    parseAddress(address) {
      const given = parseAddress(address);
      assertNotOwnUrl(new URL(urlOf(given)), own);
      return given;
    },
    ...(defaultPriority !== undefined && { defaultPriority }),
    destinationOf: (address) => URL.parse(urlOf(address))?.host ?? "",
    render: (telling) => ({ subject: subjectOf(telling), body: callOf(telling).storedBody }),
    async send(telling, _, wire) {
      if (unavailableReason !== undefined)
        throw new DeliveryFailed(unavailableReason, { retryable: false });
      return sendHttp(telling, wire, () => {
        const call = callOf(telling);
        assertNotOwnUrl(new URL(call.url), own);
        return call;
      });
    },
    close() {},
  };
}
