import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import { createServer, type Socket } from "node:net";

import { systemClock } from "../../src/kit/clock.ts";
import { listen } from "../../test/peers/tcp.ts";
import type { Target } from "../monitors/monitor.ts";
import { PAGE } from "../scenarios/web.ts";
import type { Failure, SiteAddress, Scenario } from "../scenario.ts";
import type { Certificates } from "./certificates.ts";
import { delayingProxy } from "./delaying-proxy.ts";
import { nameServer, type NameServer } from "./name-server.ts";
import type { Network } from "./network.ts";

/** A target with a switch. */
export interface Site {
  readonly scenario: Scenario;
  readonly target: Target;
  /** Fails as its scenario says until this is disposed of. */
  readonly fail: () => Promise<AsyncDisposable>;
}

/** Environment of a target. */
export interface Ground {
  readonly network: Network;
  readonly resolver: NameServer;
  readonly certificates: Certificates;
  readonly stack: AsyncDisposableStack;
}

/** Current behavior of a server, from a failure's data. */
interface Manner {
  failure: Failure | undefined;
}

const OTHER_ADDRESS = "10.80.9.8";
const DEAD_ADDRESS = "10.80.9.9";

/** Opens the targets of redirects and wrong names: a server without pages, and an address without a listener. */
export async function openStrangers({ network, stack }: Ground): Promise<void> {
  for (const address of [OTHER_ADDRESS, DEAD_ADDRESS]) await network.addAddress(address);
  const stranger = createHttpServer((_request, response) =>
    response.writeHead(404).end("no such site"),
  );
  stack.use(await listen(stranger, OTHER_ADDRESS, 80));
}

/** Opens the target of a scenario at addresses of its own. */
export async function openSite(ground: Ground, scenario: Scenario, number: number): Promise<Site> {
  const { network, resolver } = ground;
  const place: SiteAddress = {
    name: `${scenario.name}.sites.test`,
    address: `10.80.1.${number}`,
    address6: `fd80::1:${number}`,
  };
  await network.addAddress(place.address);
  await network.addAddress(place.address6);
  resolver.set(place.name, { addresses: [place.address, place.address6] });
  const probe = scenario.probe(place);
  const manner: Manner = { failure: undefined };
  const status = probe.kind === "http" ? (probe.status ?? 200) : 200;
  const own = await openService({ ground, scenario, place, manner, status });
  return {
    scenario,
    target: { id: scenario.name, probe },
    async fail() {
      const { failure } = scenario;
      if (failure === undefined) throw new Error(`${scenario.name} cannot fail`);
      if (failure.kind === "packets") return network.treat(failure.how, addressFor(failure, place));
      if (failure.kind === "name") return failName({ ground, place, answer: failure.answer });
      const undo = await own(failure);
      return { [Symbol.asyncDispose]: undo };
    },
  };
}

function addressFor({ how }: Extract<Failure, { kind: "packets" }>, place: SiteAddress): string {
  return how === "dropped6" ? place.address6 : place.address;
}

interface NameFailure {
  readonly ground: Ground;
  readonly place: SiteAddress;
  readonly answer: Extract<Failure, { kind: "name" }>["answer"];
}

async function failName({ ground, place, answer }: NameFailure): Promise<AsyncDisposable> {
  const { resolver, network } = ground;
  const before = resolver.get(place.name);
  const records = {
    nxdomain: undefined,
    servfail: { addresses: [], instead: "servfail" },
    silence: { addresses: [], instead: "silence" },
    empty: { addresses: [] },
    other: { addresses: [OTHER_ADDRESS] },
    moved: { addresses: [movedAddress(place)] },
  } as const;
  resolver.set(place.name, records[answer]);
  const dead = answer === "moved" ? await network.treat("dropped", place.address) : undefined;
  return {
    async [Symbol.asyncDispose]() {
      resolver.set(place.name, before);
      await dead?.[Symbol.asyncDispose]();
    },
  };
}

function movedAddress({ address }: SiteAddress): string {
  return address.replace("10.80.1.", "10.80.2.");
}

interface Opening {
  readonly ground: Ground;
  readonly scenario: Scenario;
  readonly place: SiteAddress;
  readonly manner: Manner;
  readonly status: number;
}

/** Makes the service fail, and gives what ends that. */
type Fail = (failure: Failure) => Promise<() => Promise<void>>;

function switching(manner: Manner): Fail {
  return async (failure) => {
    manner.failure = failure;
    return async () => {
      manner.failure = undefined;
    };
  };
}

async function openService(opening: Opening): Promise<Fail> {
  const { ground, scenario, place, manner } = opening;
  const { stack } = ground;
  switch (scenario.service) {
    case "http":
      return openHttp(opening);
    case "https":
      return openHttps(opening);
    case "tcp":
      stack.use(await listen(createServer(), place.address, 7000));
      return switching(manner);
    case "smtp":
      stack.use(
        await listen(
          createServer((socket) => greet(socket, manner)),
          place.address,
          25,
        ),
      );
      return switching(manner);
    default:
      return openDns(opening);
  }
}

async function openHttp({ ground, scenario, place, manner, status }: Opening): Promise<Fail> {
  const { stack, network } = ground;
  const handler = pages(manner, status);
  const addresses = [place.address, place.address6];
  if (scenario.failure?.kind === "name" && scenario.failure.answer === "moved") {
    await network.addAddress(movedAddress(place));
    addresses.push(movedAddress(place));
  }
  for (const address of addresses) {
    const server = createHttpServer(handler);
    if (scenario.failure?.kind !== "latency") stack.use(await listen(server, address, 80));
    else {
      stack.use(await listen(server, address, 8000));
      stack.use(
        await listen(
          delayingProxy(() => delayOf(manner), { host: address, port: 8000 }),
          address,
          80,
        ),
      );
    }
  }
  return switching(manner);
}

async function openHttps({ ground, place, manner, status }: Opening): Promise<Fail> {
  const { stack, certificates } = ground;
  const valid = certificates.valid(place.name);
  const server: HttpsServer = createHttpsServer({ ...valid }, pages(manner, status));
  server.on("tlsClientError", () => {});
  server.on("connection", (socket: Socket) => {
    const { failure } = manner;
    if (failure?.kind === "tls" && failure.how === "cut-handshake") socket.destroy();
  });
  stack.use(await listen(server, place.address, 443));
  return async (failure) => {
    manner.failure = failure;
    if (failure.kind === "certificate")
      server.setSecureContext({ ...certificates.faulty(place.name, failure.fault) });
    else if (failure.kind === "tls" && failure.how === "old-version")
      server.setSecureContext({
        ...valid,
        minVersion: "TLSv1",
        maxVersion: "TLSv1",
        ciphers: "DEFAULT@SECLEVEL=0",
      });
    return async () => {
      manner.failure = undefined;
      server.setSecureContext({ ...valid });
    };
  };
}

async function openDns({ ground, place }: Opening): Promise<Fail> {
  const server = ground.stack.use(await nameServer(place.address));
  const right = { addresses: [place.address] };
  server.set(place.name, right);
  return async (failure) => {
    const answer = failure.kind === "answer" ? failure.answer : "silence";
    if (answer === "nxdomain") server.set(place.name, undefined);
    else if (answer === "servfail" || answer === "silence")
      server.set(place.name, { addresses: [], instead: answer });
    else server.set(place.name, { addresses: answer === "empty" ? [] : [OTHER_ADDRESS] });
    return async () => server.set(place.name, right);
  };
}

function greet(socket: Socket, { failure }: Manner): void {
  if (failure?.kind === "mail" && failure.how === "hang") return;
  if (failure?.kind === "mail") {
    socket.end("421 4.3.2 Service not available, try again later\r\n");
    return;
  }
  socket.write("220 mail.test ESMTP\r\n");
  socket.on("data", (lines: Buffer) => {
    for (const line of lines.toString("latin1").split("\r\n").filter(Boolean))
      if (/^quit/i.test(line)) socket.end("221 Bye\r\n");
      else socket.write("250 OK\r\n");
  });
}

/** Answers as a healthy site does, or as the failure says. */
function pages(manner: Manner, status: number): RequestListener {
  return (request, response) => {
    const { failure } = manner;
    if (failure?.kind === "response" && request.url === "/error") {
      response.writeHead(500).end("error");
    } else if (failure?.kind === "response") {
      const { status, body = "", location } = failure;
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
    } else if (failure?.kind === "http") misbehave(failure.how, request, response);
    else response.writeHead(status, { "content-type": "text/html" }).end(PAGE);
  };
}

const SLOW_MS = 20_000;
const LETTER_MS = 1000;
const BEGINNING = "<html><body>\n";

function misbehave(
  how: Extract<Failure, { kind: "http" }>["how"],
  { socket }: IncomingMessage,
  response: ServerResponse,
): void {
  switch (how) {
    case "hang":
      return;
    case "reset":
      socket.resetAndDestroy();
      return;
    case "close":
      socket.end();
      return;
    case "garbage":
      socket.end(Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 151) % 256)));
      return;
    case "cut-body":
      response.writeHead(200, { "content-length": 100_000 });
      response.write(BEGINNING, () => socket.destroySoon());
      return;
    case "slow-headers":
      systemClock.setTimer(() => response.end(PAGE), SLOW_MS);
      return;
    case "slow-body":
      response.writeHead(200, { "content-length": 100_000 });
      drip(response);
  }
}

function drip(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write("x");
  systemClock.setTimer(() => drip(response), LETTER_MS);
}

function delayOf({ failure }: Manner): number {
  return failure?.kind === "latency" ? failure.milliseconds : 0;
}
