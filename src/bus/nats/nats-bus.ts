import { randomUUID } from "node:crypto";

import type { Location } from "../../domain/location.ts";
import { sleep, type Clock } from "../../kit/clock.ts";
import { messageOf, Unavailable } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { hints, type Bus, type RequestOptions } from "../bus.ts";
import type { RemoteBus } from "../joined-bus.ts";
import type { LocationSealers } from "../location-key.ts";
import { createPendingRequests } from "../pending-requests.ts";
import { createHintSubscribers } from "../subscribers.ts";
import { createBrokerConnection } from "./connection.ts";
import type { NatsAccess } from "./access.ts";
import { createDiscovery } from "./discovery.ts";
import { createLocationLink } from "./location-link.ts";
import { createLocationLinks } from "./location-links.ts";
import type { LocationAnswer, LocationQuestion } from "./messages.ts";
import { noBroker, noReplyOf, type NoAnswer } from "./requests.ts";
import { hintSubject } from "./subjects.ts";

interface Deps {
  readonly access: NatsAccess;
  /** The key of each location and generation. */
  readonly sealerOf: LocationSealers;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** The bus to locations on other machines and to other processes of the service, for those who ask them. */
export interface NatsBus extends RemoteBus {
  readonly isConnected: () => boolean;
  /** Listens to these locations, even if not seen yet, so that a flooding location cannot hide them. Replaces the previous list. */
  readonly expect: (locations: readonly Location[]) => void;
  /** Resolves when the probes have had time to say that they are there, or the server has not answered. */
  readonly settled: () => Promise<void>;
}

type Ask = (
  location: string,
  question: LocationQuestion,
  options: RequestOptions,
) => Promise<LocationAnswer | NoAnswer>;

/** A probe answers within the time of a message to it and back. */
const PRESENCE_WITHIN_MS = 1000;
/** A service whose broker is away starts nevertheless. */
const SETTLED_WITHIN_MS = 5000;

export function createNatsBus({ access, sealerOf, clock, log, meter }: Deps): NatsBus {
  const firstConnected = new AbortController();
  const pending = createPendingRequests(clock);
  const hinted = createHintSubscribers(log);
  const controller = randomUUID();
  const shared = { access, sealerOf, controller, clock, log, meter };
  /** Connection for the service's own processes; locations use separate ones. */
  const connection = createBrokerConnection({
    ...shared,
    connected: () => firstConnected.abort(),
    disconnected() {},
  });
  const links = createLocationLinks({
    create: ({ code, region }) =>
      createLocationLink({ ...shared, location: code, region, pending }),
    log,
  });
  const discovery = createDiscovery({
    ...shared,
    isKnown: (location) => links.get(location)?.wasHeard() === true,
    found: (location, first) =>
      links.linkTo({ code: location, region: first.key.region })?.found(first),
  });
  for (const hint of hints)
    connection.subscribe(hintSubject(hint), { receive: () => hinted.deliver(hint) });
  const ask: Ask = (location, question, options) => {
    const link = links.get(location);
    if (link !== undefined) return link.ask(question, options);
    return Promise.resolve(connection.isConnected() ? noReplyOf(location) : noBroker);
  };
  return {
    jobs: jobsOver(ask),
    diagnostics: diagnosticsOver(ask),
    presence: {
      live: (type) => links.entries().flatMap(([, link]) => link.live(type) ?? []),
      gone: links.gone,
      troubles() {
        if (!connection.isConnected())
          return [
            "there is no connection to the NATS server, so locations on other machines run no checks",
          ];
        return links
          .entries()
          .flatMap(([location, link]) =>
            link.isCutOff()
              ? [`location ${location} sends too much, and is cut off: it runs no checks`]
              : [],
          );
      },
    },
    hints: {
      publish(hint) {
        hinted.deliver(hint);
        connection.publish(hintSubject(hint), "");
      },
      subscribe: hinted.subscribe,
    },
    isConnected: connection.isConnected,
    expect: links.expect,
    async settled() {
      await sleep(clock, SETTLED_WITHIN_MS, firstConnected.signal);
      if (connection.isConnected()) await sleep(clock, PRESENCE_WITHIN_MS);
    },
    async close() {
      hinted.clear();
      pending.close();
      await Promise.all([connection.close(), discovery.close(), links.close()]);
    },
  };
}

function jobsOver(ask: Ask): Bus["jobs"] {
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

function diagnosticsOver(ask: Ask): Bus["diagnostics"] {
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
