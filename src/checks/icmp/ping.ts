import ipaddr from "ipaddr.js";
import { z } from "zod";

import { passed, type Outcome } from "../../domain/run/outcome.ts";
import { resolveAddress } from "../../kit/net/dial.ts";
import { messageOf, Unavailable } from "../../kit/errors.ts";
import { defineCheckType, type RunContext } from "../check-type.ts";
import { failureOf } from "../outcome/failure.ts";
import { createIcmpSockets } from "./echo-socket.ts";
import { loadIcmpLibc } from "./libc.ts";
import { host, ipv6 } from "../parameters/parameters.ts";
import { createPingProgram } from "./ping-program.ts";
import { timingsOf } from "../outcome/timings.ts";
import { term } from "../../schema/words.ts";

export const pingCheck = defineCheckType({
  type: "PING",
  title: term("Ping"),
  group: "network",
  summary: {
    en: "Sends ICMP echo requests, and passes if a reply comes",
    de: "Sendet Echo-Anfragen per ICMP, und besteht, wenn eine Antwort kommt",
  },
  target: "host",
  recognition: { suitsEvery: "host" },
  example: { target: "example.com", ipv6: false },
  schema: z.object({ target: host, ipv6 }),
  run: (parameters, context) => ping(parameters, context).catch(failureOf),
});

interface Parameters {
  readonly target: string;
  readonly ipv6: boolean;
}

/** All runs share one socket for each address family. */
const echoBySocket = createIcmpSockets(loadIcmpLibc);
const echoByProgram = createPingProgram();

async function ping({ target, ipv6 }: Parameters, context: RunContext): Promise<Outcome> {
  const start = context.monotonic();
  const elapsed = (): number => context.monotonic() - start;
  const found = await resolveAddress({
    ...context,
    host: target,
    family: ipv6 ? 6 : undefined,
  });
  // Unlike TCP, ICMP does not support IPv4-mapped addresses.
  const address = ipaddr.process(found.address).toString();
  const dns = elapsed();
  const outcome = await echo(address, context);
  const total = elapsed();
  const firstByte = outcome.passed ? { firstByte: total } : {};
  return { ...outcome, address, timings: timingsOf({ dns, ...firstByte, total }, 0) };
}

/** The program costs about seventy times as much CPU as the socket, so it is used only when the socket fails. */
async function echo(address: string, context: RunContext): Promise<Outcome> {
  const judge = (roundTrip: Promise<number>): Promise<Outcome> =>
    roundTrip.then(
      (runtimeMs) => passed(String(Math.round(runtimeMs)), address, { runtimeMs }),
      failureOf,
    );
  return judge(echoBySocket(address, context)).catch((ofSocket: unknown) =>
    judge(echoByProgram(address, context)).catch((ofProgram: unknown) => {
      const why = `${messageOf(ofSocket)}; ${messageOf(ofProgram)}`;
      throw new Unavailable(`no echo request can be sent: ${why}`, { cause: ofProgram });
    }),
  );
}
