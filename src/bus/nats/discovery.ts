import { isLocationCode } from "../../domain/location.ts";
import type { Clock } from "../../kit/clock.ts";
import { createWindowCounter } from "../../kit/concurrency/window-counter.ts";
import { silentLog, type Log } from "../../kit/log.ts";
import { noMeter, type Meter } from "../../kit/meter.ts";
import type { LocationKeyId, LocationSealers } from "../location-key.ts";
import type { NatsAccess } from "./access.ts";
import { createBrokerConnection, type BrokerConnection } from "./connection.ts";
import { MAX_BEAT_BYTES, openBeat, type LocationQuestion, type ReceivedBeat } from "./messages.ts";
import { MAX_PROBES } from "./presence.ts";
import {
  ALL_PRESENCE,
  jobSubject,
  lastPartOf,
  PRESENCE_ASK,
  questionContext,
  replySubject,
} from "./subjects.ts";

interface Deps {
  readonly access: NatsAccess;
  readonly sealerOf: LocationSealers;
  readonly controller: string;
  /** Whether the location needs no discovery any more. */
  readonly isKnown: (location: string) => boolean;
  readonly found: (location: string, first: ReceivedBeat) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** How much all locations together may send in a second. A location that is known has a link of its own, so that a rest delays only new ones. */
export const MAX_BEATS = 4000;
/** How much is read in a second of a location that is not known. */
const MAX_PER_STRANGER = 2 * MAX_PROBES;
const SECOND_MS = 1000;
const REST_MS = 10_000;
/** No location is called so. */
const ALL = "";
/** How often a location is told that its key is of no use. */
const KEY_TEST_INTERVAL_MS = 5000;

/** Finds the locations whose probes say that they are there, on a connection of its own. */
export function createDiscovery(deps: Deps): Pick<BrokerConnection, "close"> {
  const { access, sealerOf, controller, isKnown, found, clock, log, meter } = deps;
  const heard = createWindowCounter(clock, SECOND_MS);
  const tested = createWindowCounter(clock, KEY_TEST_INTERVAL_MS);
  let restsUntil = -Infinity;

  const connection = createBrokerConnection({
    access,
    clock,
    // The first connection of the process says what happens to the server.
    log: silentLog,
    meter: noMeter,
    connected: () => connection.publish(PRESENCE_ASK, ""),
    disconnected() {},
  });
  /** A probe that cannot read the test ends, and says why. */
  const testKey = (location: string, key: LocationKeyId): void => {
    if (!tested.tryAdd(location, 1, 1)) return;
    const reply = replySubject(location, controller, "test");
    const question: LocationQuestion = { kind: "key_test" };
    const sealed = sealerOf(location, key).seal(JSON.stringify(question), questionContext(reply));
    connection.publish(jobSubject(location, key), sealed, reply);
  };
  const refuse = (location: string, key: LocationKeyId | undefined): void => {
    meter.count("bus.beat_refused");
    const error =
      key === undefined
        ? "its probes are of an older version: upgrade them, and give them a key of `watchpost location create`"
        : "its key is of another installation or another region: make a new one with `watchpost location create`";
    log.warn("bus.beat_refused", { location, error }, location);
    if (key !== undefined) testKey(location, key);
  };
  const rest = (location: string): void => {
    meter.count("bus.discovery_rest");
    const isMost = heard.countOf(location) > MAX_BEATS / 2;
    log.error("bus.discovery_rest", { forMs: REST_MS, ...(isMost && { location }) });
    restsUntil = clock.monotonic() + REST_MS;
    connection.rest(REST_MS);
  };
  connection.subscribe(ALL_PRESENCE, {
    receive({ subject, data }) {
      const location = lastPartOf(subject);
      if (clock.monotonic() < restsUntil) return;
      const cost = Math.ceil((data.length + 1) / MAX_BEAT_BYTES);
      const own = heard.add(location, cost);
      // guard: messages of unknown locations
      if (heard.add(ALL, cost) >= MAX_BEATS) return rest(location);
      if (isKnown(location) || own >= MAX_PER_STRANGER) return;
      if (!isLocationCode(location)) return;
      const received = openBeat(data, location, sealerOf);
      if (received?.beat === undefined) refuse(location, received?.key);
      else if (!received.beat.leaving) found(location, received);
    },
  });
  return { close: connection.close };
}
