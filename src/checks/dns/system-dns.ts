import dns from "node:dns";
import { isIP, SocketAddress } from "node:net";

import type { Timer } from "../../kit/clock.ts";
import { DnsFailure } from "../../kit/net/resolver.ts";
import type { Unanswered } from "../../kit/net/resolver-control.ts";
import { queryDns, type DnsContext, type DnsQuery, type DnsResponse } from "./client.ts";

type Call = Pick<DnsQuery, "transport" | "question">;

const DNS_PORT = 53;
/** Time without a response after which the next server of resolv.conf(5) is asked in parallel. */
const PATIENCE_MS = 1000;

/** Queries the system's DNS servers. They are the operator's choice, so the egress policy does not apply to them. */
export async function querySystemDns(call: Call, context: DnsContext): Promise<DnsResponse> {
  const servers = dns
    .getServers()
    .flatMap((server) => SocketAddress.parse(isIP(server) === 6 ? `[${server}]` : server) ?? []);
  const [first, ...others] = servers;
  if (first === undefined)
    throw new DnsFailure("this machine has no name server", { unanswered: "silent" });
  return others.length === 0
    ? queryServer(first, call, context)
    : queryInTurn([first, ...others], call, context);
}

/** Response codes of a server that cannot or will not resolve. */
const UNDECIDED: ReadonlySet<string> = new Set(["SERVFAIL", "REFUSED", "NOTIMP", "FORMERR"]);

/** Returns how the resolver failed to answer; undefined if its response is about the name. */
export function findUnanswered(code: string): Unanswered | undefined {
  if (!UNDECIDED.has(code)) return undefined;
  return code === "REFUSED" ? "refused" : "silent";
}

/** Gives the first response that decides. Each server is asked once the one before it has failed, or was silent for too long. */
async function queryInTurn(
  servers: readonly SocketAddress[],
  call: Call,
  { signal, ...context }: DnsContext,
): Promise<DnsResponse> {
  const over = new AbortController();
  const start = context.monotonic();
  const left = servers.values();
  const troubles: (() => void)[] = [];
  let patience: Timer | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<DnsResponse>();
  const goOn = (trouble: () => void): void => {
    troubles.push(trouble);
    if (troubles.length === servers.length) troubles[0]?.();
    else if (!over.signal.aborted) askNext();
  };
  const askNext = (): void => {
    patience?.cancel();
    const server = left.next().value;
    if (server === undefined) return;
    patience = context.setTimer(askNext, PATIENCE_MS);
    const offset = context.monotonic() - start;
    const all = AbortSignal.any([signal, over.signal]);
    queryServer(server, call, { ...context, signal: all }).then(
      ({ phases, ...response }) => {
        const take = (): void => resolve({ ...response, phases: later(phases, offset) });
        if (UNDECIDED.has(response.message.code)) goOn(take);
        else take();
      },
      (error: unknown) => goOn(() => reject(error)),
    );
  };
  askNext();
  try {
    return await promise;
  } finally {
    over.abort("answered");
    patience?.cancel();
  }
}

function later({ dns = 0, firstByte = 0, total }: DnsResponse["phases"], offsetMs: number) {
  return { dns: dns + offsetMs, firstByte: firstByte + offsetMs, total: total + offsetMs };
}

function queryServer(server: SocketAddress, call: Call, context: DnsContext): Promise<DnsResponse> {
  const { address, port } = server;
  const family = server.family === "ipv6" ? 6 : 4;
  return queryDns(
    { ...call, server: address, port: port === 0 ? DNS_PORT : port, family },
    {
      ...context,
      egress: {
        ...context.egress,
        resolve: () => Promise.resolve({ address, family }),
        admit: undefined,
      },
    },
  );
}
