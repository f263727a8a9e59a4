import type { RunContext } from "../check-type.ts";

type EchoContext = Pick<RunContext, "signal" | "monotonic" | "setTimer" | "timeoutMs">;

/**
 * Gives the ms from an echo request to its reply. Throws Interrupted where none came, EHOSTUNREACH where the network says that the address
 * cannot be reached, and anything else where the trouble is our own.
 */
export type SendEcho = (address: string, context: EchoContext) => Promise<number>;

/** Spread over the timeout, for a packet may be lost; a reply to any of them will do. */
export const ECHO_REQUESTS = 3;

export function unreachable(address: string): Error {
  return Object.assign(new Error("no route to the address"), { code: "EHOSTUNREACH", address });
}
