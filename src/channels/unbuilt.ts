import type { AddressKind } from "../domain/contact.ts";
import { DeliveryFailed } from "../kit/errors.ts";
import type { Channel } from "./channel.ts";
import { subjectOf } from "./telling.ts";

/** A kind of address that is checked and kept, and says plainly that nothing can be sent to it yet. */
export function createUnbuiltChannel(
  kind: AddressKind,
  rest: Pick<Channel, "parseAddress" | "usualPriority">,
): Channel {
  const trouble = `no provider for ${kind} is built yet`;
  return {
    ...rest,
    kind,
    from: "",
    trouble,
    destinationOf: () => kind,
    render: (telling) => ({ subject: subjectOf(telling), body: "" }),
    send: () => Promise.reject(new DeliveryFailed(trouble, { retryable: false })),
    close() {},
  };
}
