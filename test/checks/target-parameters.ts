import type { Peer } from "../peers/tcp.ts";

/** The parameters of a check whose target is a peer. */
export type ParametersAt = (peer: Pick<Peer, "host" | "port">) => Readonly<Record<string, unknown>>;

export const at: ParametersAt = ({ host, port }) => ({ target: host, port });

export const withLogin: ParametersAt = (peer) => ({
  ...at(peer),
  username: "alice",
  password: "secret",
});

export const page: ParametersAt = ({ host, port }) => ({ target: `http://${host}:${port}/` });

export const text: ParametersAt = (peer) => ({ ...page(peer), contentstring: "wanted" });

export const dnsQuestion = {
  dnstype: "A",
  dnstoresolve: "www.example.com",
  contentstring: "192.0.2.1",
};
