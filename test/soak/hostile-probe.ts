import { connect, nkeyAuthenticator, type Msg, type NatsConnection } from "@nats-io/transport-node";

import { parseLocationKey, type LocationKeyId } from "../../src/bus/location-key.ts";
import type { Job } from "../../src/bus/bus.ts";
import {
  sealBeat,
  type LocationAnswer,
  type LocationQuestion,
} from "../../src/bus/nats/messages.ts";
import {
  answerContext,
  presenceSubject,
  questionContext,
  QUEUE,
} from "../../src/bus/nats/subjects.ts";
import { passed } from "../../src/domain/run/outcome.ts";
import { createSealer, type Sealer } from "../../src/kit/crypto/seal.ts";
import type { LocationCredentials } from "./locations.ts";

/** Messages possible with the credentials of a location. */
export interface HostileProbe extends AsyncDisposable {
  readonly connection: NatsConnection;
  /** A beat of a probe of that name, sealed with the key, whatever its name says. */
  readonly beat: (instance: string, key?: Partial<LocationKeyId>, at?: string) => Uint8Array;
  /** Says that a probe is there. */
  readonly sayPresent: () => void;
  /** Where the location was asked last to send its answers. */
  readonly replyTo: () => string | undefined;
}

/** Types of the attackers' checks. */
const TYPES = ["HTTP", "HTTPADV"];

/** Connects, and says "up" to whatever it is asked; `received` is called with each job, and the subject that it came by. */
export async function hostileProbe(
  { code, server, seed, key }: LocationCredentials,
  received: (job: Job, subject: string) => void = () => {},
): Promise<HostileProbe> {
  const own = parseLocationKey(key);
  const sealer = createSealer(own.key);
  const connection = await connect({
    servers: server,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    // The server refuses whom a busy machine keeps from authenticating in time.
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    noEcho: true,
  });
  let replyTo: string | undefined;
  const beat: HostileProbe["beat"] = (instance, claimed = {}, at = code) =>
    sealBeat({ instance, versions: [1], types: TYPES, leaving: false }, at, {
      key: { ...own, ...claimed },
      sealer,
    });
  connection.subscribe(`job.${code}.*`, {
    queue: QUEUE,
    callback(_, message) {
      replyTo = message.reply;
      const question = questionIn(message, sealer);
      if (question?.kind !== "job") return;
      received(question.job, message.subject);
      message.respond(sealer.seal(JSON.stringify(up), answerContext(message.reply ?? "")));
    },
  });
  await connection.flush();
  return {
    connection,
    beat,
    sayPresent: () => connection.publish(presenceSubject(code), beat("one")),
    replyTo: () => replyTo,
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

const up: LocationAnswer = {
  kind: "report",
  report: {
    startOffsetMs: 0,
    endOffsetMs: 1,
    outcome: passed("Connected", "whatever it is"),
    connectivityConfirmed: false,
  },
};

function questionIn({ data, reply = "" }: Msg, sealer: Sealer): LocationQuestion | undefined {
  try {
    return JSON.parse(sealer.open(data, questionContext(reply)));
  } catch {
    return undefined;
  }
}
