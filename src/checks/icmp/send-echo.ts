import type { RunContext } from "../check-type.ts";

type EchoContext = Pick<RunContext, "signal" | "monotonic" | "setTimer" | "timeoutMs">;

/**
 * Gives the ms from an echo request to its reply. Throws Interrupted if no reply came, EHOSTUNREACH if the network reported that the address is
 * unreachable, and any other error for a problem of our own.
 */
export type SendEcho = (address: string, context: EchoContext) => Promise<number>;

/** Spread over the timeout because packets get lost; a reply to any of them is enough. */
export const ECHO_REQUESTS = 3;

export function unreachable(address: string): Error {
  return Object.assign(new Error("no route to the address"), { code: "EHOSTUNREACH", address });
}
