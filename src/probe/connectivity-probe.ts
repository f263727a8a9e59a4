import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { createDeadline } from "../kit/abort.ts";
import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";
import { sharingNextRun } from "../kit/next-run.ts";

export interface ConnectivityAddress {
  readonly host: string;
  readonly port: number;
}

/** Addresses that show whether a location is online: if none responds, a target's network failure proves nothing. */
export interface ConnectivityProbe {
  readonly isConfigured: boolean;
  /** Whether one accepts a connection that is made after this call: an earlier one says nothing about the network now. */
  readonly isOnline: () => Promise<boolean>;
}

/** Two of them in a row must fit into the time that a report has beyond its job's timeout. */
const CONNECT_WITHIN_MS = 1500;

export function createConnectivityProbe(
  addresses: readonly ConnectivityAddress[],
  deps: { egress: Egress; clock: Clock },
): ConnectivityProbe {
  const { egress, clock } = deps;
  const connectTo = async ({ host, port }: ConnectivityAddress): Promise<true> => {
    using deadline = createDeadline(clock, CONNECT_WITHIN_MS);
    const { signal } = deadline;
    let socket: Socket | undefined;
    try {
      const { address } = await egress.resolve(host, { signal });
      socket = connect({ host: address, port, signal });
      await once(socket, "connect");
      return true;
    } finally {
      socket?.destroy();
    }
  };

  return {
    isConfigured: addresses.length > 0,
    isOnline: sharingNextRun(() => Promise.any(addresses.map(connectTo)).catch(() => false)),
  };
}
