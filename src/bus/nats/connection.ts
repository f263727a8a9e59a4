import {
  connect,
  nkeyAuthenticator,
  TimeoutError,
  type NatsConnection,
  type Status,
} from "@nats-io/transport-node";

import { sleep, type Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { isRefusal, sentenceOf } from "./connection-errors.ts";
import { tlsOf } from "./connection-tls.ts";
import type { NatsAccess } from "./access.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";
import { withinMs } from "./within.ts";

interface Deps {
  readonly access: NatsAccess;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly connected: () => void;
  readonly disconnected: () => void;
  /** Called when the first server that answers does not let us in. It is asked again all the same. */
  readonly refused?: (sentence: string) => void;
}

/** A connection that is made again for ever. What is published while there is none is dropped, never sent later. */
export interface Connection {
  readonly isConnected: () => boolean;
  readonly publish: (subject: string, data: Uint8Array | string, reply?: string) => void;
  /** Holds over every reconnection. */
  readonly subscribe: Subscriptions["add"];
  /** Ends the subscription; resolves when everything that was sent to it has been received. */
  readonly drain: (subject: string) => Promise<void>;
  /** Ends the connection at once, and makes it again after that time. */
  readonly rest: (ms: number) => void;
  /** Resolves when what was published has reached the server, and the connection is closed. */
  readonly close: () => Promise<void>;
}

/** Between two attempts to connect: 2 s, and up to 3 s more, so that not all come back at once. */
const RECONNECT_AFTER_MS = 2000;
const RECONNECT_JITTER_MS = 3000;
/** A server that does not answer two pings is given up when the third is due, 6 to 9 s after it stopped. */
const PING_INTERVAL_MS = 3000;
const MOST_PINGS_OUT = 2;
const CONNECT_TIMEOUT_MS = 10_000;
/** How long the close waits for a server that does not answer. */
const FLUSH_TIMEOUT_MS = 3000;

export function createConnection(deps: Deps): Connection {
  const { access, clock, log, meter } = deps;
  const closing = new AbortController();
  const subscriptions = createSubscriptions(clock, closing.signal);
  let client: NatsConnection | undefined;
  let isConnected = false;
  let restMs: number | undefined;

  const setConnected = (value: boolean, error?: string): void => {
    if (isConnected === value || closing.signal.aborted) return;
    isConnected = value;
    if (value) {
      log.info("bus.connected", { server: client?.getServer() });
      deps.connected();
    } else {
      meter.count("bus.disconnected");
      log.error("bus.disconnected", { error });
      deps.disconnected();
    }
  };
  /** Once the server has the subscriptions: whoever is asked then can answer. */
  const ready = (made: NatsConnection): void =>
    void made.flush().then(
      () => setConnected(true),
      // It was disconnected, which the statuses say.
      () => {},
    );
  const follow = (made: NatsConnection, status: Status): void => {
    if (status.type === "disconnect") setConnected(false, "the connection ended");
    if (status.type === "reconnect") ready(made);
    if (status.type === "error") logRefused(status.error, log);
  };
  const start = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        const made = await connect(optionsFor(access));
        if (closing.signal.aborted) return await made.close();
        client = made;
        subscriptions.attach(made);
        ready(made);
        for await (const status of made.status()) follow(made, status);
        // Only a close ends the statuses.
        client = undefined;
        subscriptions.attach(undefined);
        setConnected(false, "the connection was closed");
      } catch (error) {
        await logUnreachable(error, deps);
      }
      await sleep(clock, restMs ?? reconnectAfterMs(), closing.signal);
      restMs = undefined;
    }
  };
  const running = start();

  return {
    isConnected: () => isConnected,
    publish(subject, data, reply) {
      if (isConnected && client?.isClosed() === false)
        client.publish(subject, data, reply === undefined ? {} : { reply });
    },
    subscribe: subscriptions.add,
    async drain(subject) {
      const subscription = subscriptions.remove(subject);
      if (isConnected && subscription?.isClosed() === false)
        await withinMs(subscription.drain(), FLUSH_TIMEOUT_MS, clock);
    },
    rest(ms) {
      restMs ??= ms;
      setConnected(false, `it is left alone for ${ms / 1000} s`);
      void client?.close();
    },
    async close() {
      if (isConnected && client) await withinMs(client.flush(), FLUSH_TIMEOUT_MS, clock);
      isConnected = false;
      closing.abort();
      await client?.close();
      await running;
    },
  };
}

function logRefused(cause: unknown, log: Log): void {
  const error = sentenceOf(cause);
  log.error("bus.refused", { error }, error);
}

function reconnectAfterMs(): number {
  return RECONNECT_AFTER_MS + Math.random() * RECONNECT_JITTER_MS;
}

async function logUnreachable(
  caught: unknown,
  { access, log, refused }: Pick<Deps, "access" | "log" | "refused">,
): Promise<void> {
  const error = await reasonOf(caught, access);
  const sentence = sentenceOf(error);
  log.error("bus.unreachable", { servers: access.servers, error: sentence }, sentence);
  if (isRefusal(error)) refused?.(sentence);
}

/** What a server says after the TLS handshake, as of a certificate, is lost on a client that would connect again. */
async function reasonOf(error: unknown, access: NatsAccess): Promise<unknown> {
  if (!(error instanceof TimeoutError)) return error;
  try {
    await (await connect({ ...optionsFor(access), reconnect: false })).close();
    return error;
  } catch (reason) {
    return reason;
  }
}

function optionsFor(access: NatsAccess): Parameters<typeof connect>[0] {
  const { servers, seed } = access;
  return {
    servers: [...servers],
    name: "watchpost",
    // What this process publishes it has itself already.
    noEcho: true,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MOST_PINGS_OUT,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_AFTER_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    reconnectJitterTLS: RECONNECT_JITTER_MS,
    ignoreAuthErrorAbort: true,
    ...tlsOf(access),
    ...(seed !== undefined && {
      authenticator: nkeyAuthenticator(new TextEncoder().encode(seed.reveal())),
    }),
  };
}
