import { nkeys } from "@nats-io/transport-node";

export interface NatsUser {
  /** Proves who the user is. */
  readonly seed: string;
  /** For the configuration of the server. */
  readonly publicKey: string;
}

/** A new pair of keys. The server knows the public one only. */
export function createNatsUser(): NatsUser {
  const pair = nkeys.createUser();
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() };
}

/** Permissions of the service's user: send requests to every location, and receive presence. */
export function serviceUserLine(publicKey: string): string {
  return userLine(publicKey, {
    publish: ["job.>", "hint.>", "presence.ask"],
    subscribe: ["reply.*.c.>", "presence.at.>", "hint.>"],
  });
}

/** Permissions of a location's user: receive and answer its jobs in its queue, and announce its presence. */
export function locationUserLine(location: string, publicKey: string): string {
  return userLine(publicKey, {
    // guard: subjects that a location publishes = ["reply.>", "presence.>"]
    publish: [`reply.${location}.>`, `presence.at.${location}`],
    // guard: subjects that a location receives = [">"]
    subscribe: [`job.${location}.* probe`, "presence.ask"],
  });
}

function userLine(
  publicKey: string,
  { publish, subscribe }: Readonly<Record<"publish" | "subscribe", readonly string[]>>,
): string {
  const permissions = `{ publish: ${JSON.stringify(publish)}, subscribe: ${JSON.stringify(subscribe)} }`;
  return `{ nkey: ${publicKey}, permissions: ${permissions} }`;
}
