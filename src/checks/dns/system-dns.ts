import dns from "node:dns";
import { isIP, SocketAddress } from "node:net";

import { Unavailable } from "../../kit/errors.ts";
import { queryDns } from "./client.ts";
import type { DnsContext, DnsQuery, DnsResponse } from "./client.ts";

const DNS_PORT = 53;

/** Queries the system's DNS server. It is the operator's choice, so the egress policy does not apply to it. */
export function querySystemDns(
  call: Pick<DnsQuery, "transport" | "question">,
  context: DnsContext,
): Promise<DnsResponse> {
  const [own] = dns.getServers();
  const server =
    own === undefined ? undefined : SocketAddress.parse(isIP(own) === 6 ? `[${own}]` : own);
  if (server === undefined) throw new Unavailable("this machine has no name server");
  const { address } = server;
  const family = server.family === "ipv6" ? 6 : 4;
  return queryDns(
    { ...call, server: address, port: server.port === 0 ? DNS_PORT : server.port, family },
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
