import type { Delivery } from "./alerts.ts";

export interface DeliveryReads {
  /** Of these alerts, as far as they are these accounts', in the order in which they were made. */
  readonly list: (
    accountIds: readonly string[],
    alertIds: readonly string[],
  ) => Promise<readonly Delivery[]>;
}
