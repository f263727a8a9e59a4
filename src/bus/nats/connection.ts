import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

import {
  connect,
  nkeyAuthenticator,
  TimeoutError,
  type NatsConnection,
  type Status,
  AuthorizationError,
  type Msg,
  type Subscription,
} from "@nats-io/transport-node";

import { sleep, waitAtMost, type Clock } from "../../kit/clock.ts";
import { codeOf, messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { NatsAccess } from "./access.ts";

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

/** Connection that reconnects forever. Messages published while disconnected are dropped, never sent later. */
export interface BrokerConnection {
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
const MAX_OUTSTANDING_PINGS = 2;
const CONNECT_TIMEOUT_MS = 10_000;
/** How long the close waits for a server that does not answer. */
const FLUSH_TIMEOUT_MS = 3000;

export function createBrokerConnection(deps: Deps): BrokerConnection {
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
  /** Once the server has the subscriptions, a recipient can respond. */
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
        await waitAtMost(subscription.drain(), FLUSH_TIMEOUT_MS, clock);
    },
    rest(ms) {
      restMs ??= ms;
      setConnected(false, `it is left alone for ${ms / 1000} s`);
      void client?.close();
    },
    async close() {
      if (isConnected && client) await waitAtMost(client.flush(), FLUSH_TIMEOUT_MS, clock);
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

/** Reads the server's error after the TLS handshake, such as a rejected certificate, which a reconnecting client would lose. */
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
    // This process already has its own messages.
    noEcho: true,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAX_OUTSTANDING_PINGS,
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

const untrusted =
  "the certificate of the NATS server is not signed by an authority that is trusted here: name the file of its authority in WATCHPOST_NATS_CA";

/** Advice for the operator, by OpenSSL or Node.js code. */
const sentences: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: "the certificate of the NATS server has expired",
  CERT_NOT_YET_VALID: "the certificate of the NATS server is not valid yet",
};

/** Alerts of TLS 1.3 and 1.2 for a missing or rejected certificate. */
const certificateAlerts =
  /alert (?:certificate required|bad certificate|unknown ca|certificate unknown|handshake failure)/i;

/** Why there is no connection, as a sentence for the log. */
function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  if (isRefusal(error))
    return "the NATS server does not know this user: put the line that was printed with its key among the users of the server, and reload it";
  const cause = error instanceof Error ? error.cause : undefined;
  const code = codeOf(error) ?? codeOf(cause) ?? "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `the certificate of the NATS server is for another host: ${message}`;
  if (/support 'tls'|not available on this server/.test(message))
    return "the NATS server does not support TLS: give it a certificate, or use nats:// where nobody else hears the network";
  if (certificateAlerts.test(message))
    return `the NATS server does not accept the certificate of this process, see WATCHPOST_NATS_CERT: ${message}`;
  // Its alert is lost where the reset of the connection overtakes it.
  if (code === "ECONNRESET" || code === "EPIPE")
    return `the connection was reset: the NATS server stops, or does not accept the certificate of this process, see WATCHPOST_NATS_CERT: ${message}`;
  return sentences[code] ?? message;
}

/** Returns whether the server answered, and does not let this user in. */
function isRefusal(error: unknown): boolean {
  return error instanceof AuthorizationError;
}

type Options = Pick<NonNullable<Parameters<typeof connect>[0]>, "tls">;

/** With `nats://` and nothing else, a server that has TLS is verified for its name all the same, by the client's own means. */
function tlsOf({ servers, requiresTls, ca, certificate }: NatsAccess): Options {
  if (!requiresTls && ca === undefined && certificate === undefined) return {};
  const addresses = servers.map(hostOf).filter((host) => isIP(host) !== 0);
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { cert: certificate.chain, key: certificate.key.reveal() }),
    checkServerIdentity: (name: string, shown: PeerCertificate) =>
      identityError(name, shown, addresses),
  };
  return { tls };
}

/** The client names no host to TLS where it dials an address, and TLS then takes `localhost` for its name. */
function identityError(
  name: string,
  shown: PeerCertificate,
  addresses: readonly string[],
): Error | undefined {
  const error = checkServerIdentity(name, shown);
  if (name !== "localhost" || addresses.length === 0) return error;
  const errors = addresses.map((address) => checkServerIdentity(address, shown));
  return errors.includes(undefined) ? undefined : errors[0];
}

function hostOf(server: string): string {
  const [, bracketed, plain = ""] = /^(?:\[(.*)\]|(.*)):\d+$/.exec(server) ?? [];
  return bracketed ?? plain;
}

interface SubscriptionOptions {
  readonly queue?: string;
  readonly receive: (message: Msg) => void;
}

/** Subscriptions to keep, connected or not. */
interface Subscriptions {
  readonly add: (subject: string, options: SubscriptionOptions) => void;
  /** Gives the subscription that is to be ended. */
  readonly remove: (subject: string) => Subscription | undefined;
  /** From now on they are of this client. */
  readonly attach: (client: NatsConnection | undefined) => void;
}

/** A subscription that the server did not permit is tried again, for an operator may have corrected its configuration. */
const RESUBSCRIBE_AFTER_MS = 10_000;

/** Subscriptions that hold over every reconnection until the signal aborts. */
function createSubscriptions(clock: Clock, signal: AbortSignal): Subscriptions {
  const wanted = new Map<string, SubscriptionOptions>();
  const active = new Map<string, Subscription>();
  let client: NatsConnection | undefined;

  const subscribe = (subject: string): void => {
    const options = wanted.get(subject);
    if (client === undefined || client.isClosed() || options === undefined) return;
    const subscription = client.subscribe(subject, {
      ...(options.queue !== undefined && { queue: options.queue }),
      callback: (error, message) => {
        if (error === null) options.receive(message);
      },
    });
    active.set(subject, subscription);
    void subscription.closed.then(async (error) => {
      if (!(error instanceof Error)) return;
      await sleep(clock, RESUBSCRIBE_AFTER_MS, signal);
      if (!signal.aborted) subscribe(subject);
    });
  };

  return {
    add(subject, options) {
      wanted.set(subject, options);
      subscribe(subject);
    },
    remove(subject) {
      wanted.delete(subject);
      return active.get(subject);
    },
    attach(next) {
      client = next;
      active.clear();
      for (const subject of wanted.keys()) subscribe(subject);
    },
  };
}
