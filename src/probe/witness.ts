import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";

import type { Clock } from "../kit/clock.ts";
import type { Egress } from "../kit/egress.ts";

export interface WitnessAddress {
  readonly host: string;
  readonly port: number;
}

/** Addresses that tell whether our own way out works: where none answers, a target's silence proves nothing. */
export interface Witnesses {
  readonly exist: boolean;
  readonly anyAnswers: () => Promise<boolean>;
}

const ANSWER_WITHIN_MS = 2000;
/** One question serves all runs that fail together. */
const ANSWER_HOLDS_MS = 5000;

export function createWitnesses(
  addresses: readonly WitnessAddress[],
  deps: { egress: Egress; clock: Clock },
): Witnesses {
  const { egress, clock } = deps;
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  const answers = async ({ host, port }: WitnessAddress): Promise<true> => {
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

  const ask = (): Promise<boolean> => Promise.any(addresses.map(answers)).catch(() => false);

  return {
    exist: addresses.length > 0,
    anyAnswers() {
      const now = clock.monotonic();
      if (asked === undefined || now - asked.at >= ANSWER_HOLDS_MS)
        asked = { at: now, answer: ask() };
      return asked.answer;
    },
  };
}
