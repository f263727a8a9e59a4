import { connect, type Socket } from "node:net";

import { sleep, systemClock } from "../../../src/kit/clock.ts";
import type { MessageFlood } from "./messages.ts";

/** A text again and again, which is sent to the attacking process in this short form. */
export interface Repeated {
  readonly text: string;
  readonly times: number;
}

interface Common {
  readonly name: string;
  /** Addresses of this machine that it comes from, in turn. */
  readonly sources: readonly string[];
}

/** Whole requests, each on a connection of its own. */
interface RequestFlood extends Common {
  readonly kind: "requests";
  readonly perSecond: number;
  /** Without an answer at one time; what would be more is left out. */
  readonly most: number;
  /** Each begins with its request line and its headers but for the length, and ends with its body. */
  readonly requests: readonly RawRequest[];
}

export interface RawRequest {
  readonly line: string;
  readonly headers?: readonly string[];
  readonly body?: Repeated;
}

/** Requests that do not end: a head, and then a text again and again. */
interface StreamFlood extends Common {
  readonly kind: "streams";
  readonly connections: number;
  readonly head: string;
  readonly text: string;
  /** Bytes per connection; it is reopened after sending that many. */
  readonly bytesPerSecond: number;
  readonly bytes: number;
}

/** Connections that send a number of bytes and then stay open. */
interface ConnectionFlood extends Common {
  readonly kind: "connections";
  readonly connections: number;
  readonly opensPerSecond: number;
  readonly head: string;
}

export type Flood = RequestFlood | StreamFlood | ConnectionFlood;

/** Requests sent less than once in two seconds flood by what they hold, not by their number. */
const RARE_PER_SECOND = 0.5;

/** The same with less in a second. */
export function atRate<Order extends Flood | MessageFlood>(order: Order, rate: number): Order;
export function atRate(order: Flood | MessageFlood, rate: number): Flood | MessageFlood {
  if (order.kind === "messages") return { ...order, perSecond: rate * order.perSecond };
  if (order.kind === "requests") {
    const rare = Math.min(order.perSecond, RARE_PER_SECOND);
    return { ...order, perSecond: Math.max(rate * order.perSecond, rare) };
  }
  if (order.kind === "streams") return { ...order, bytesPerSecond: rate * order.bytesPerSecond };
  return { ...order, opensPerSecond: rate * order.opensPerSecond };
}

export interface FloodReport {
  readonly name: string;
  readonly sent: number;
  /** Fraction of the flood that was sent: the rest was too slow for this machine or the target. */
  readonly share: number;
  /** Answers by status; `none` where the connection ended without one. */
  readonly answers: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  /** Maximum open connections, for those that stay open. */
  readonly mostOpen: number;
}

const HOST = "127.0.0.1";
const TURN_MS = 20;
const MAX_ANSWER_MS = 60_000;
/** Nothing that was missed is made up for: a flood that was held up does not come in one wave. */
const MAX_TURNS_AT_ONCE = 5;

interface Tally {
  sent: number;
  /** In requests, bytes or connections, as the flood is counted. */
  done: number;
  readonly answers: Record<string, number>;
  slowestMs: number;
  mostOpen: number;
}

interface Line {
  readonly open: ReadonlySet<Socket>;
  readonly dial: () => Socket;
  readonly tally: Tally;
}

/** Work of one turn, given the milliseconds it covers. */
type Turn = (ms: number) => void;

/** Sends until the signal aborts, at no more than its rate. */
export async function flood(
  order: Flood,
  { port, signal }: { readonly port: number; readonly signal: AbortSignal },
): Promise<FloodReport> {
  const tally: Tally = { sent: 0, done: 0, answers: {}, slowestMs: 0, mostOpen: 0 };
  const open = new Set<Socket>();
  const dial = (): Socket => {
    const localAddress = order.sources[tally.sent % order.sources.length] ?? HOST;
    const socket = connect({ port, host: HOST, localAddress });
    tally.sent += 1;
    open.add(socket);
    tally.mostOpen = Math.max(tally.mostOpen, open.size);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    return socket;
  };
  const turn = turnOf(order, { open, dial, tally });
  const began = systemClock.monotonic();
  let before = began;
  while (!signal.aborted) {
    await sleep(systemClock, TURN_MS, signal);
    const now = systemClock.monotonic();
    turn(Math.min(now - before, MAX_TURNS_AT_ONCE * TURN_MS));
    before = now;
  }
  for (const socket of open) socket.destroy();
  const { done, ...report } = tally;
  return { name: order.name, share: done / wantedOf(order, before - began), ...report };
}

function wantedOf(order: Flood, ms: number): number {
  if (order.kind === "requests") return (order.perSecond * ms) / 1000;
  if (order.kind === "connections") return (order.opensPerSecond * ms) / 1000;
  return (order.connections * order.bytesPerSecond * ms) / 1000;
}

function turnOf(order: Flood, line: Line): Turn {
  if (order.kind === "requests") return requestsOf(order, line);
  if (order.kind === "streams") return streamsOf(order, line);
  return connectionsOf(order, line);
}

function requestsOf(
  { requests, perSecond, most }: RequestFlood,
  { open, dial, tally }: Line,
): Turn {
  const wires = requests.map(toBody);
  // The first at once.
  let due = 1;
  let next = 0;
  const send = (wire: Buffer): void => {
    const began = systemClock.monotonic();
    const socket = dial();
    let status: string | undefined;
    const late = systemClock.setTimer(() => socket.destroy(), MAX_ANSWER_MS);
    socket.once("data", (chunk: Buffer) => {
      status = /^HTTP\/1\.\d (\d{3})/.exec(chunk.toString("latin1", 0, 20))?.[1];
    });
    socket.on("close", () => {
      late.cancel();
      const outcome = status ?? "none";
      tally.answers[outcome] = (tally.answers[outcome] ?? 0) + 1;
      tally.slowestMs = Math.max(tally.slowestMs, systemClock.monotonic() - began);
    });
    // Its end stays open: a server may take a half-closed connection for one that was given up.
    socket.resume().write(wire);
  };
  return (ms) => {
    for (due += (perSecond * ms) / 1000; due >= 1; due -= 1) {
      const wire = wires[next % wires.length];
      if (wire === undefined || open.size >= most) continue;
      next += 1;
      tally.done += 1;
      send(wire);
    }
  };
}

function toBody({ line, headers = [], body }: RawRequest): Buffer {
  const sent = Buffer.from(body?.text.repeat(body.times) ?? "");
  const head = [
    `${line} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    ...headers,
    ...(body === undefined ? [] : [`Content-Length: ${sent.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), sent]);
}

/** Maximum unsent bytes of a connection whose peer does not read. */
const MAX_WAITING_BYTES = 262_144;

function streamsOf(
  { connections, head, text, bytesPerSecond, bytes }: StreamFlood,
  { open, dial, tally }: Line,
): Turn {
  const pieces = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  const state = new WeakMap<Socket, { due: number; left: number }>();
  return (ms) => {
    // One at a turn: what is refused at once is not dialled in a loop.
    if (open.size < connections) {
      const socket = dial();
      state.set(socket, { due: 0, left: bytes });
      socket.resume().write(head);
    }
    for (const socket of open) {
      const own = state.get(socket);
      if (own === undefined || socket.writableLength > MAX_WAITING_BYTES) continue;
      own.due += (bytesPerSecond * ms) / 1000;
      // Whole texts, for every piece begins with one.
      const size =
        Math.floor(Math.min(own.due, own.left, pieces.length) / text.length) * text.length;
      if (size === 0) continue;
      own.due -= size;
      own.left -= size;
      tally.done += size;
      socket.write(pieces.subarray(0, size));
      if (own.left < text.length) socket.destroySoon();
    }
  };
}

function connectionsOf({ connections, opensPerSecond, head }: ConnectionFlood, line: Line): Turn {
  let due = 0;
  return (ms) => {
    for (due += (opensPerSecond * ms) / 1000; due >= 1; due -= 1) {
      line.tally.done += 1;
      if (line.open.size < connections) line.dial().resume().write(head);
    }
  };
}
