import type { IncomingMessage } from "node:http";

import ipaddr from "ipaddr.js";

import { constantTimeEquals } from "../kit/crypto/seal.ts";
import type { Secret } from "../kit/crypto/secret.ts";
import { codeOf, Forbidden } from "../kit/errors.ts";
import { ownAddressesOf } from "../kit/net/own-listener.ts";

/** Throws Forbidden for who may not read the metrics: with a token, who does not send it; without one, all but this machine. */
export function assertMayReadMetrics(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  token: Secret | undefined,
): void {
  if (token === undefined) {
    // A request forwarded by a local proxy is from another machine.
    const isPassedOn = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
    // guard: names that are made to lead to this machine = left
    // guard: metrics through a proxy = right
    if (
      !isPassedOn &&
      /* guard: metrics for this machine alone */ isLoopback(socket.remoteAddress) &&
      isOwnHost(headers.host)
    )
      return;
    throw new Forbidden(
      "metrics are for this machine alone: set WATCHPOST_METRICS_TOKEN, and send it as Authorization: Bearer",
    );
  }
  const [, sent = ""] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (!constantTimeEquals(sent, token.reveal()))
    throw new Forbidden(
      "metrics need the token of WATCHPOST_METRICS_TOKEN as Authorization: Bearer",
    );
}

export function mayReadMetrics(...asked: Parameters<typeof assertMayReadMetrics>): boolean {
  try {
    assertMayReadMetrics(...asked);
    return true;
  } catch (error) {
    if (codeOf(error) === "forbidden") return false;
    throw error;
  }
}

/** A page of another site whose name was made to lead to this machine is read by a browser on it, under that name (DNS rebinding). */
function isOwnHost(host: string | undefined): boolean {
  return (
    host === undefined || ownAddressesOf(URL.parse(`http://${host}`)?.hostname ?? "").length > 0
  );
}

function isLoopback(address = ""): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
