import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";

import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/net/egress.ts";

export interface ConnectivityAddress {
  readonly host: string;
  readonly port: number;
}

/** Addresses that tell whether our own way out works: where none answers, a target's silence proves nothing. */
export interface ConnectivityProbe {
  readonly isConfigured: boolean;
  /** Whether one answers a question that is put after this call: an answer from before says nothing of the way out now. */
  readonly isOnline: () => Promise<boolean>;
}

/** Two of them in a row must fit into the time a job has beyond its timeout. */
const ANSWER_WITHIN_MS = 1500;

export function createConnectivityProbe(
  addresses: readonly ConnectivityAddress[],
  deps: { egress: Egress; clock: Clock },
): ConnectivityProbe {
  const { egress, clock } = deps;
  /** The last question that was put, and the one that all who came since then share. */
  let asked: Promise<boolean> = Promise.resolve(true);
  let next: Promise<boolean> | undefined;

  const answers = async ({ host, port }: ConnectivityAddress): Promise<true> => {
    const controller = new AbortController();
    const { signal } = controller;
    const deadline = clock.setTimer(() => controller.abort(), ANSWER_WITHIN_MS);
    let socket: Socket | undefined;
    try {
      const { address } = await egress.resolve(host, { signal });
      socket = connect({ host: address, port, signal });
      await once(socket, "connect");
      return true;
    } finally {
      deadline.cancel();
      socket?.destroy();
    }
  };

  const ask = (): Promise<boolean> => {
    next = undefined;
    asked = Promise.any(addresses.map(answers)).catch(() => false);
    return asked;
  };

  return {
    isConfigured: addresses.length > 0,
    isOnline() {
      next ??= asked.then(ask);
      return next;
    },
  };
}
