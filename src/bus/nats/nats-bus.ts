import { randomUUID } from "node:crypto";

import type { Clock } from "../../kit/clock.ts";
import { sleep } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { messageOf, Unavailable } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { hints } from "../bus.ts";
import type { Bus } from "../bus.ts";
import type { RemoteBus } from "../joined-bus.ts";
import { createPendingRequests } from "../pending-requests.ts";
import { createHintSubscribers } from "../subscribers.ts";
import { createConnection } from "./connection.ts";
import type { NatsAccess } from "./access.ts";
import { parseBeat } from "./messages.ts";
import { createPresence } from "./presence.ts";
import { createNatsRequests, noBroker, noReplyOf } from "./requests.ts";
import type { NatsRequests } from "./requests.ts";
import { ALL_PRESENCE, hintSubject, lastPartOf, PRESENCE_ASK } from "./subjects.ts";

interface Deps {
  readonly access: NatsAccess;
  /** The key of each location and generation. */
  readonly sealerOf: (location: string, generation: number) => Sealer;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** The bus to locations on other machines and to other processes of the service, for those who ask them. */
export interface NatsBus extends RemoteBus {
  readonly isConnected: () => boolean;
  /** Resolves when the probes have had time to say that they are there, or the server has not answered. */
  readonly settled: () => Promise<void>;
}

/** A probe answers within the time of a message to it and back. */
const PRESENCE_WITHIN_MS = 1000;
/** A service whose broker is away starts nevertheless. */
const SETTLED_WITHIN_MS = 5000;

export function createNatsBus({ access, sealerOf, clock, log, meter }: Deps): NatsBus {
  const firstConnected = new AbortController();
  const pending = createPendingRequests(clock);
  const hinted = createHintSubscribers(log);
  const connection = createConnection({
    access,
    clock,
    log,
    meter,
    connected() {
      presence.hearAgain();
      connection.publish(PRESENCE_ASK, "");
      firstConnected.abort();
    },
    disconnected: () => requests.giveUp(noBroker),
  });
  const presence = createPresence({
    clock,
    canHear: connection.isConnected,
    onGone(location) {
      log.warn("bus.location_gone", { location }, location);
      requests.giveUp(noReplyOf(location), location);
    },
  });
  const controller = randomUUID();
  const requests = createNatsRequests({
    connection,
    presence,
    pending,
    sealerOf,
    controller,
    clock,
    log,
    meter,
  });
  connection.subscribe(ALL_PRESENCE, {
    receive(message) {
      const beat = parseBeat(message.string());
      if (beat !== undefined) presence.heard(lastPartOf(message.subject), beat);
    },
  });
  for (const hint of hints)
    connection.subscribe(hintSubject(hint), { receive: () => hinted.deliver(hint) });

  return {
    jobs: jobsOver(requests),
    diagnostics: diagnosticsOver(requests),
    presence: { live: presence.live, gone: presence.gone },
    hints: {
      publish(hint) {
        hinted.deliver(hint);
        connection.publish(hintSubject(hint), "");
      },
      subscribe: hinted.subscribe,
    },
    isConnected: connection.isConnected,
    async settled() {
      await sleep(clock, SETTLED_WITHIN_MS, firstConnected.signal);
      if (connection.isConnected()) await sleep(clock, PRESENCE_WITHIN_MS);
    },
    async close() {
      hinted.clear();
      pending.close();
      await connection.close();
      presence.clear();
    },
  };
}

function jobsOver({ ask }: NatsRequests): Bus["jobs"] {
  return {
    async request(location, job, options) {
      try {
        const answer = await ask(location, { kind: "job", job }, options);
        if (answer.kind === "report") return answer.report;
        const error = answer.kind === "none" ? answer.error : "internal_error";
        return { error, message: messageIn(answer) };
      } catch (error) {
        if (options.signal?.aborted === true) throw error;
        return { error: "unanswered", message: messageOf(error) };
      }
    },
  };
}

function diagnosticsOver({ ask }: NatsRequests): Bus["diagnostics"] {
  return {
    async request(location, request, options) {
      const answer = await ask(location, { kind: "diagnostics", request }, options);
      if (answer.kind === "findings") return answer.findings;
      throw new Unavailable(messageIn(answer));
    },
  };
}

function messageIn(answer: { readonly kind: string; readonly message?: string }): string {
  return answer.message ?? `the reply has ${answer.kind}, which were not asked for`;
}
