import type { Msg } from "@nats-io/transport-node";
import { ZodError } from "zod";

import type { Clock, Timer } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { JobError, RequestOptions } from "../bus.ts";
import { MAX_JOB_BYTES } from "../job.ts";
import type { PendingRequests } from "../pending-requests.ts";
import type { LocationSealers } from "../location-key.ts";
import type { BrokerConnection } from "./connection.ts";
import {
  MAX_REPLY_BYTES,
  parseAnswer,
  type LocationAnswer,
  type LocationQuestion,
} from "./messages.ts";
import { BEAT_INTERVAL_MS, type Presence } from "./presence.ts";
import {
  answerContext,
  jobSubject,
  lastPartOf,
  questionContext,
  replySubject,
} from "./subjects.ts";

interface Deps {
  readonly location: string;
  readonly connection: Pick<BrokerConnection, "isConnected" | "publish">;
  readonly presence: Pick<Presence, "key">;
  readonly pending: Pick<PendingRequests, "add">;
  readonly sealerOf: LocationSealers;
  /** Names this process in the subjects of its replies. */
  readonly controller: string;
  readonly clock: Pick<Clock, "setTimer">;
  readonly log: Log;
  readonly meter: Meter;
}

/** Why there is no answer. */
export interface NoAnswer {
  readonly kind: "none";
  readonly error: JobError;
  readonly message: string;
}

/** Requests to one location. */
export interface NatsRequests {
  /** Rejects if no answer arrives in time, and with the signal's reason. */
  readonly ask: (
    question: LocationQuestion,
    options: RequestOptions,
  ) => Promise<LocationAnswer | NoAnswer>;
  /** Takes a reply, whichever request it is for. */
  readonly answered: (message: Pick<Msg, "subject" | "data">) => void;
  /** Ends every request that waits. */
  readonly giveUp: (reason: NoAnswer) => void;
}

interface Waiting {
  readonly sealer: Sealer;
  readonly withinMs: number;
  readonly end: (answer: LocationAnswer | NoAnswer) => void;
}

export function createNatsRequests(deps: Deps): NatsRequests {
  const { location, connection, presence, pending, sealerOf, controller, clock, log, meter } = deps;
  const waiting = new Map<string, Waiting>();
  let lastId = 0;

  /** Requests to a location that is gone end even if nobody asks for live locations. */
  let nextLook: Timer | undefined;
  const look = (): void => {
    presence.key();
    nextLook = waiting.size > 0 ? clock.setTimer(look, BEAT_INTERVAL_MS) : undefined;
  };

  const opened = (
    { sealer, withinMs }: Waiting,
    { data, subject }: Pick<Msg, "subject" | "data">,
  ): LocationAnswer => {
    try {
      if (data.length > MAX_REPLY_BYTES)
        throw new Error(`${data.length} bytes, more than the ${MAX_REPLY_BYTES} that are taken`);
      return parseAnswer(sealer.open(data, answerContext(subject)), withinMs);
    } catch (error) {
      log.error("bus.unreadable_reply", { location, error: reasonOf(error) }, location);
      return { kind: "failed", message: `the reply of location ${location} cannot be read` };
    }
  };

  return {
    async ask(question, options) {
      if (!connection.isConnected()) return noBroker;
      const key = presence.key();
      if (key === undefined) return noReplyOf(location);
      const id = String((lastId += 1));
      const reply = replySubject(location, controller, id);
      const sealer = sealerOf(location, key);
      const sealed = sealer.seal(JSON.stringify(question), questionContext(reply));
      if (sealed.length > MAX_JOB_BYTES) return tooLarge(sealed.length);
      const send = (): Promise<LocationAnswer | NoAnswer> =>
        new Promise((end) => {
          waiting.set(id, { sealer, withinMs: options.timeoutMs, end });
          nextLook ??= clock.setTimer(look, BEAT_INTERVAL_MS);
          connection.publish(jobSubject(location, key), sealed, reply);
        });
      try {
        return await pending.add(send, { ...options, location });
      } finally {
        waiting.delete(id);
        if (waiting.size === 0) {
          nextLook?.cancel();
          nextLook = undefined;
        }
      }
    },
    answered(message) {
      const asked = waiting.get(lastPartOf(message.subject));
      if (asked === undefined) meter.count("bus.late_report");
      else asked.end(opened(asked, message));
    },
    giveUp(reason) {
      for (const { end } of waiting.values()) end(reason);
    },
  };
}

/** Returns the invalid field of a reply, without the sender's text. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ZodError)) return messageOf(error);
  const [issue] = error.issues;
  return issue === undefined ? error.name : `${issue.path.join(".")}: ${issue.message}`;
}

export const noBroker: NoAnswer = {
  kind: "none",
  error: "no_broker",
  message: "there is no connection to the NATS server",
};

export function noReplyOf(location: string): NoAnswer {
  return { kind: "none", error: "unanswered", message: `location ${location} did not answer` };
}

function tooLarge(bytes: number): NoAnswer {
  const message = `the job has ${bytes} bytes, more than the ${MAX_JOB_BYTES} that may be sent`;
  return { kind: "none", error: "too_large", message };
}
