import type { Msg } from "@nats-io/transport-node";

import type { Clock, Timer } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { JobError, RequestOptions } from "../bus.ts";
import { MOST_JOB_BYTES } from "../job.ts";
import type { PendingRequests } from "../pending-requests.ts";
import type { Connection } from "./connection.ts";
import { parseAnswer } from "./messages.ts";
import type { Answer, Question } from "./messages.ts";
import { BEAT_EVERY_MS } from "./presence.ts";
import type { Presence } from "./presence.ts";
import {
  answerContext,
  jobSubject,
  lastPartOf,
  questionContext,
  replySubject,
} from "./subjects.ts";

interface Deps {
  readonly connection: Pick<Connection, "isConnected" | "publish" | "subscribe">;
  readonly presence: Pick<Presence, "generationOf" | "live" | "lost">;
  readonly pending: Pick<PendingRequests, "add">;
  readonly sealerOf: (location: string, generation: number) => Sealer;
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

export interface NatsRequests {
  /** Rejects where no answer comes in time, and with the signal's reason. */
  readonly ask: (
    location: string,
    question: Question,
    options: RequestOptions,
  ) => Promise<Answer | NoAnswer>;
  /** Ends what waits for this location, or for any. */
  readonly giveUp: (reason: NoAnswer, location?: string) => void;
}

interface Waiting {
  readonly location: string;
  readonly sealer: Sealer;
  readonly end: (answer: Answer | NoAnswer) => void;
}

/** The server's own reply where nobody listens. */
const NO_RESPONDERS = 503;

export function createNatsRequests(deps: Deps): NatsRequests {
  const { connection, presence, pending, sealerOf, controller, clock, log, meter } = deps;
  const waiting = new Map<string, Waiting>();
  const subscribed = new Set<string>();
  let lastId = 0;

  /** What waits for a location that is gone ends, whether or not anybody asks who is live. */
  let nextLook: Timer | undefined;
  const look = (): void => {
    presence.live();
    nextLook = waiting.size > 0 ? clock.setTimer(look, BEAT_EVERY_MS) : undefined;
  };

  const opened = ({ location, sealer }: Waiting, { data, subject }: Msg): Answer => {
    try {
      return parseAnswer(sealer.open(data, answerContext(subject)));
    } catch (error) {
      log.error("bus.unreadable_reply", { location, error: messageOf(error) }, location);
      return { kind: "failed", message: `the reply of location ${location} cannot be read` };
    }
  };
  const receive = (location: string, message: Msg): void => {
    const asked = waiting.get(lastPartOf(message.subject));
    if (message.headers?.code === NO_RESPONDERS) {
      meter.count("bus.no_responders", { location });
      presence.lost(location);
    } else if (asked?.location === location) asked.end(opened(asked, message));
    else meter.count("bus.late_report");
  };
  /** One subscription a location, for one with a wildcard there does not pass leaf nodes. */
  const hearReplies = (location: string): void => {
    if (subscribed.has(location)) return;
    subscribed.add(location);
    connection.subscribe(replySubject(location, controller, "*"), {
      receive: (message) => receive(location, message),
    });
  };

  return {
    async ask(location, question, options) {
      if (!connection.isConnected()) return noBroker;
      const generation = presence.generationOf(location);
      if (generation === undefined) return noReplyOf(location);
      const id = String((lastId += 1));
      const reply = replySubject(location, controller, id);
      const sealer = sealerOf(location, generation);
      const sealed = sealer.seal(JSON.stringify(question), questionContext(reply));
      if (sealed.length > MOST_JOB_BYTES) return tooLarge(sealed.length);
      hearReplies(location);
      const send = (): Promise<Answer | NoAnswer> =>
        new Promise((end) => {
          waiting.set(id, { location, sealer, end });
          nextLook ??= clock.setTimer(look, BEAT_EVERY_MS);
          connection.publish(jobSubject(location, generation), sealed, reply);
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
    giveUp(reason, location) {
      for (const each of waiting.values())
        if (location === undefined || each.location === location) each.end(reason);
    },
  };
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
  const message = `the job has ${bytes} bytes, more than the ${MOST_JOB_BYTES} that may be sent`;
  return { kind: "none", error: "too_large", message };
}
