import type { AddressKind } from "../domain/contact.ts";
import { DeliveryFailed } from "../kit/errors.ts";
import type { Channel, Telling } from "./channel.ts";
import { handOver, SENDER } from "./kit/hand-over.ts";
import type { HttpCall } from "./kit/hand-over.ts";
import { assertForeign } from "./kit/own-address.ts";
import { serviceCallOf } from "./kit/service-call.ts";
import type { Service } from "./services/service.ts";
import { subjectOf } from "./telling.ts";

interface ServiceChannel extends Pick<Channel, "parseAddress" | "usualPriority"> {
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
  trouble,
  usualPriority,
  url,
}: ServiceChannel): Channel {
  const own = new URL(url);
  const callOf = (telling: Telling): HttpCall =>
    serviceCallOf(service, telling, { url: urlOf(telling.to.address) });
  return {
    kind,
    from: SENDER,
    trouble,
    parseAddress(address) {
      const given = parseAddress(address);
      assertForeign(new URL(urlOf(given)), own);
      return given;
    },
    ...(usualPriority !== undefined && { usualPriority }),
    destinationOf: (address) => URL.parse(urlOf(address))?.host ?? "",
    render: (telling) => ({ subject: subjectOf(telling), body: callOf(telling).said }),
    async send(telling, _, wire) {
      if (trouble !== undefined) throw new DeliveryFailed(trouble, { retryable: false });
      return handOver(telling, wire, () => {
        const call = callOf(telling);
        assertForeign(new URL(call.url), own);
        return call;
      });
    },
    close() {},
  };
}
