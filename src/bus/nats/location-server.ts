import { randomUUID } from "node:crypto";

import type { Msg } from "@nats-io/transport-node";

import type { Location } from "../../domain/location.ts";
import { waitAtMost, type Clock, type Timer } from "../../kit/clock.ts";
import { createSealer, type Sealer } from "../../kit/crypto/seal.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { Bus, LocationHandlers } from "../bus.ts";
import { writeKeyId, type LocationKey } from "../location-key.ts";
import { createBrokerConnection } from "./connection.ts";
import type { NatsAccess } from "./access.ts";
import {
  MAX_REPLY_BYTES,
  sealBeat,
  type LocationAnswer,
  type PresenceBeat,
  type LocationQuestion,
} from "./messages.ts";
import { BEAT_INTERVAL_MS } from "./presence.ts";
import {
  answerContext,
  jobSubject,
  PRESENCE_ASK,
  presenceSubject,
  questionContext,
  QUEUE,
  repliesOf,
  VERSION,
} from "./subjects.ts";

interface Deps {
  readonly access: NatsAccess;
  readonly key: LocationKey;
  /** The types of checks that the probe runs. */
  readonly types: readonly string[];
  /** The version of the program. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Called when the server has the subscriptions, after each reconnection too. */
  readonly connected?: () => void;
  /** Called with a sentence where the server lets this user not in, or the first job is sealed with another key: nothing but other settings helps. */
  readonly refused: (sentence: string) => void;
}

/** One probe of a location, which dials out to the broker, and takes the jobs of its location. */
export interface LocationServer extends Pick<Bus, "serve"> {
  readonly isConnected: () => boolean;
  /** Takes no more jobs, answers those that it has taken, and ends the connection. */
  readonly close: () => Promise<void>;
}

/** Less than service managers wait before they kill a process. */
const LAST_ANSWERS_WITHIN_MS = 60_000;

const OTHER_KEY =
  "the jobs of this location are sealed with another key: the key of this probe is from another installation or was replaced, see `watchpost location create`";

export function createLocationServer(deps: Deps): LocationServer {
  const { key, types, version, clock, log, meter } = deps;
  const sealer = createSealer(key.key);
  const instance = randomUUID();
  const inFlight = new Set<Promise<void>>();
  let served: Location | undefined;
  let nextBeat: Timer | undefined;
  let leaving = false;
  let hasRead = false;

  const beat = (): void => {
    if (served === undefined) return;
    const { code } = served;
    const said: PresenceBeat = { instance, versions: [VERSION], types, leaving, program: version };
    connection.publish(presenceSubject(code), sealBeat(said, code, { key, sealer }));
  };
  const beatOn = (): void => {
    beat();
    nextBeat = clock.setTimer(beatOn, BEAT_INTERVAL_MS);
  };
  const connected = (): void => {
    beat();
    deps.connected?.();
  };
  const connection = createBrokerConnection({ ...deps, connected, disconnected: () => {} });
  const take = async (location: string, handlers: LocationHandlers, asked: Msg): Promise<void> => {
    const { reply = "" } = asked;
    if (!reply.startsWith(repliesOf(location))) return;
    const answer = await answerTo(asked, handlers).catch((error: unknown): LocationAnswer => ({
      kind: "failed",
      message: messageOf(error),
    }));
    if (answer.kind === "report") meter.count("bus.job_answered", { outcome: outcomeOf(answer) });
    connection.publish(reply, sealedWithin(answer, sealer, answerContext(reply)));
  };
  const answerTo = async (asked: Msg, handlers: LocationHandlers): Promise<LocationAnswer> => {
    const question = opened(asked);
    if (question.kind === "job")
      return { kind: "report", report: await handlers.runJob(question.job) };
    if (question.kind === "diagnostics")
      return { kind: "findings", findings: await handlers.runDiagnostics(question.request) };
    return { kind: "failed", message: "the key was only to be tested" };
  };
  const opened = ({ data, reply = "" }: Msg): LocationQuestion => {
    try {
      const text = sealer.open(data, questionContext(reply));
      hasRead = true;
      return JSON.parse(text);
    } catch (error) {
      meter.count("bus.job_unreadable");
      log.error("bus.unreadable_job", { error: messageOf(error), key: writeKeyId(key) });
      if (!hasRead) deps.refused(OTHER_KEY);
      throw error;
    }
  };

  return {
    serve(location, handlers) {
      served = location;
      connection.subscribe(jobSubject(location.code, key), {
        queue: QUEUE,
        receive(asked) {
          const work = take(location.code, handlers, asked).finally(() => inFlight.delete(work));
          inFlight.add(work);
        },
      });
      connection.subscribe(PRESENCE_ASK, { receive: beat });
      beatOn();
    },
    isConnected: connection.isConnected,
    async close() {
      nextBeat?.cancel();
      leaving = true;
      beat();
      if (served !== undefined) await connection.drain(jobSubject(served.code, key));
      await waitAtMost(Promise.all(inFlight), LAST_ANSWERS_WITHIN_MS, clock);
      await connection.close();
    },
  };
}

function outcomeOf({ report }: Extract<LocationAnswer, { kind: "report" }>): string {
  if ("error" in report) return report.error;
  return report.outcome.passed ? "passed" : "failed";
}

function sealedWithin(answer: LocationAnswer, sealer: Sealer, context: string): Uint8Array {
  const sealed = sealer.seal(JSON.stringify(answer), context);
  if (sealed.length <= MAX_REPLY_BYTES) return sealed;
  const message = `the reply has ${sealed.length} bytes, more than the ${MAX_REPLY_BYTES} that may be sent`;
  return sealer.seal(JSON.stringify({ kind: "failed", message } satisfies LocationAnswer), context);
}
