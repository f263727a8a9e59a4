import type { Msg } from "@nats-io/transport-node";

import type { LiveLocation, Location } from "../../domain/location.ts";
import type { Clock } from "../../kit/clock.ts";
import { createWindowCounter } from "../../kit/concurrency/window-counter.ts";
import { silentLog, type Log } from "../../kit/log.ts";
import { noMeter, type Meter } from "../../kit/meter.ts";
import type { GoneLocation } from "../bus.ts";
import type { LocationSealers } from "../location-key.ts";
import type { PendingRequests } from "../pending-requests.ts";
import type { NatsAccess } from "./access.ts";
import { createBrokerConnection } from "./connection.ts";
import { openBeat, type ReceivedBeat } from "./messages.ts";
import { createPresence, MAX_PROBES, type Presence } from "./presence.ts";
import {
  createNatsRequests,
  noBroker,
  noReplyOf,
  type NatsRequests,
  type NoAnswer,
} from "./requests.ts";
import { presenceSubject, replySubject } from "./subjects.ts";

interface Deps {
  readonly location: string;
  readonly region: Location["region"];
  readonly access: NatsAccess;
  readonly sealerOf: LocationSealers;
  /** Names this process in the subjects of its replies. */
  readonly controller: string;
  readonly pending: Pick<PendingRequests, "add">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** Link to one location, on a separate connection so that no location can delay another. */
export interface LocationLink {
  readonly ask: NatsRequests["ask"];
  /** Undefined if no live probe runs the type. */
  readonly live: (type: string | undefined) => LiveLocation | undefined;
  /** Undefined while it is live, and if it was never seen. */
  readonly gone: () => GoneLocation | undefined;
  /** Whether it sent too much, so that nothing of it is received for a while. */
  readonly isCutOff: () => boolean;
  /** Whether any probe of it was seen. */
  readonly wasHeard: () => boolean;
  /** Takes what another connection received of it. */
  readonly found: (beat: ReceivedBeat) => void;
  readonly close: () => Promise<void>;
}

/** The server's own reply where nobody listens. */
const NO_RESPONDERS = 503;
/** Maximum messages of a location per window besides one reply per request: every beat, and replies to requests from before a reconnection. */
export const MAX_UNASKED = 2000;
const SPAN_MS = 10_000;
/** Replies that a location may still send, however many requests it has left unanswered. */
const MAX_PENDING_REPLIES = 10_000;
/** Bytes that count as one additional message. */
const BYTES_OF_MESSAGE = 16 * 1024;
/** How long nothing is received of a location that sent too much. */
export const CUT_OFF_MS = 30_000;

export function createLocationLink(deps: Deps): LocationLink {
  const { location, sealerOf, controller, clock, log, meter } = deps;
  let { region } = deps;
  let heardAt: number | undefined;
  let first: ReceivedBeat | undefined;
  const { isCutOff, mayBeRead, asked } = createIntake(clock, () => {
    meter.count("bus.location_cut_off", { location });
    log.error("bus.location_cut_off", { location, forMs: CUT_OFF_MS }, location);
    presence.lost();
    connection.rest(CUT_OFF_MS);
  });

  const connection = createBrokerConnection({
    ...deps,
    // The first connection of the process says what happens to the server.
    log: silentLog,
    meter: noMeter,
    connected() {
      presence.hearAgain();
      if (first !== undefined) take(first);
      first = undefined;
    },
    disconnected: () => requests.giveUp(isCutOff() ? cutOffOf(location) : noBroker),
  });
  const presence = createLoggedPresence(deps, {
    canHear: connection.isConnected,
    onGone: () => requests.giveUp(isCutOff() ? cutOffOf(location) : noReplyOf(location)),
  });
  const requests = createNatsRequests({ ...deps, connection, presence });
  const take = (received: ReceivedBeat | undefined): void => {
    if (received?.beat === undefined) return;
    presence.heard(received.key, received.beat);
    heardAt = clock.monotonic();
    ({ region } = presence.key() ?? { region });
  };
  connection.subscribe(presenceSubject(location), {
    receive(message) {
      if (!mayBeRead(message, false)) return;
      take(openBeat(message.data, location, sealerOf));
    },
  });
  connection.subscribe(replySubject(location, controller, "*"), {
    receive(message) {
      if (!mayBeRead(message, true)) return;
      if (message.headers?.code === NO_RESPONDERS) {
        meter.count("bus.no_responders", { location });
        presence.lost();
      } else requests.answered(message);
    },
  });

  return {
    ask(question, options) {
      if (isCutOff()) return Promise.resolve(cutOffOf(location));
      asked();
      return requests.ask(question, options);
    },
    live(type) {
      const key = presence.key();
      const isFit = type === undefined || presence.runs(type);
      if (key === undefined || isCutOff() || !isFit) return undefined;
      const found = { code: location, region: key.region, ...presence.program() };
      return connection.isConnected() ? found : { ...found, isAway: true };
    },
    gone() {
      if (heardAt === undefined || (presence.key() !== undefined && !isCutOff())) return undefined;
      return { code: location, region, seenMsAgo: clock.monotonic() - heardAt };
    },
    isCutOff,
    wasHeard: () => heardAt !== undefined,
    found(beat) {
      // Its requests go over its own connection.
      if (connection.isConnected()) take(beat);
      else first = beat;
    },
    close: connection.close,
  };
}

/** It says which probes are gone, and which are refused. */
function createLoggedPresence(
  { location, clock, log, meter }: Deps,
  { canHear, onGone }: Pick<Parameters<typeof createPresence>[0], "canHear" | "onGone">,
): Presence {
  return createPresence({
    clock,
    canHear,
    onGone() {
      onGone();
      log.warn("bus.location_gone", { location }, location);
    },
    onRefused() {
      meter.count("bus.probe_refused", { location });
      log.warn("bus.probe_refused", { location, most: MAX_PROBES }, location);
    },
  });
}

interface Intake {
  readonly isCutOff: () => boolean;
  /** Counts a request, to which there may be one reply. */
  readonly asked: () => void;
  /** False from the message on with which the location has sent more than it may. */
  readonly mayBeRead: (message: Msg, isReply: boolean) => boolean;
}

/** How much of a location is read. `cutOff` is called when it has sent too much. */
function createIntake(clock: Clock, cutOff: () => void): Intake {
  const unasked = createWindowCounter(clock, SPAN_MS);
  let replies = 0;
  let cutOffUntil = -Infinity;
  const isCutOff = (): boolean => clock.monotonic() < cutOffUntil;
  return {
    isCutOff,
    asked: () => void (replies = Math.min(replies + 1, MAX_PENDING_REPLIES)),
    mayBeRead({ data }, isReply) {
      if (isCutOff()) return false;
      if (isReply && replies > 0) replies -= 1;
      else unasked.add("", Math.ceil((data.length + 1) / BYTES_OF_MESSAGE));
      // guard: messages of a location = then
      if (unasked.countOf("") < MAX_UNASKED) return true;
      cutOffUntil = clock.monotonic() + CUT_OFF_MS;
      cutOff();
      return false;
    },
  };
}

function cutOffOf(location: string): NoAnswer {
  return {
    kind: "none",
    error: "unanswered",
    message: `location ${location} sends too much, and is cut off for ${CUT_OFF_MS / 1000} s`,
  };
}
