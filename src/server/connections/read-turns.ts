import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

import type { Clock } from "../../kit/clock.ts";
import { createLeastUsedQueue } from "../../kit/concurrency/least-used-queue.ts";
import { createBodyMemory, type BodyShare } from "../../kit/http/body-memory.ts";
import type { ReceiveGaps } from "../../kit/http/receive-gaps.ts";

/** Maximum parsing time per turn of the event loop. */
const TURN_MS = 10;

/** Shares the time in which requests are parsed among clients. */
export interface ReadTurns<Taken extends Source> {
  /** Parses what a socket receives that the HTTP server has just accepted. */
  readonly take: (source: Taken) => void;
}

/** Source of requests. */
interface Source {
  readonly socket: Socket;
  readonly client: string;
  /** Whom the time is counted for. */
  readonly payer: string;
  /** The request that came last. */
  readonly latest: IncomingMessage | undefined;
}

interface Deps<Taken extends Source> {
  readonly clock: Pick<Clock, "monotonic">;
  readonly receiveGaps: Pick<ReceiveGaps, "waits">;
  /** Closes one that holds more than there is memory for. */
  readonly close: (source: Taken) => void;
}

interface Reader<Taken extends Source> {
  readonly source: Taken;
  readonly parse: (bytes: Uint8Array) => void;
  readonly memory: BodyShare;
  isCounted: boolean;
  /** Called when its turn comes, or never will. */
  waited: () => void;
  /** Request with an unread body, and the number of slices parsed since its start. */
  unread: { readonly request: IncomingMessage; slices: number } | undefined;
}

/** In one-byte chunks, each with 6 bytes on the wire, this takes 1.2 ms to parse. Nearly every request is smaller. */
const SLICE_BYTES = 4096;
/** Enough for the head of a usual request and a small body, which is then complete when the request is refused. */
const MAX_UNREAD_SLICES = 2;
/** Maximum unparsed data, besides one slice. */
const HELD = { allBytes: 32 * 2 ** 20, clientBytes: 8 * 2 ** 20 };

/**
 * Limits parsing per turn: by default, Node.js parses up to 32 times 64 KiB of one connection in a turn of the event loop, and pushes each chunk into a body
 * that may never be read: 64 KiB in chunks of one byte take 20 ms and 3 MB. Here it gets slices while there is time, and two of an unread body.
 */
export function createReadTurns<Taken extends Source>({
  clock,
  receiveGaps,
  close,
}: Deps<Taken>): ReadTurns<Taken> {
  const memory = createBodyMemory(HELD);
  const time = createParsingTime<Reader<Taken>>(clock, (reader) => readSlice(reader));

  const wait = (reader: Reader<Taken>): void => {
    const { socket, client, payer } = reader.source;
    if (socket.destroyed) return;
    reader.waited = receiveGaps.waits(client);
    time.wait(payer, reader);
  };
  /** Keeps what was received in the socket, behind which its end stays in order. */
  const hold = (reader: Reader<Taken>, bytes: Uint8Array = NOTHING): void => {
    const { socket } = reader.source;
    socket.pause();
    if (bytes.length > 0) socket.unshift(bytes);
    if (socket.readableLength <= SLICE_BYTES) return;
    reader.isCounted = true;
    try {
      // guard: memory of what is not parsed
      reader.memory.grow(socket.readableLength);
    } catch {
      close(reader.source);
    }
  };
  const release = (reader: Reader<Taken>): void => {
    reader.isCounted = false;
    reader.memory.release();
  };
  const receive = (reader: Reader<Taken>, bytes: Uint8Array): void => {
    const { socket, payer } = reader.source;
    if (reader.isCounted) release(reader);
    if (!time.isLeft()) {
      hold(reader, bytes);
      wait(reader);
      return;
    }
    const isWhole = bytes.length <= SLICE_BYTES;
    time.spend(payer, reader.parse, isWhole ? bytes : bytes.subarray(0, SLICE_BYTES));
    // guard: bodies that nobody reads = false
    const isUnread = countUnread(reader) >= MAX_UNREAD_SLICES;
    if ((isWhole && !isUnread) || socket.destroyed) return;
    // Node.js pauses the socket while responses are not read, and resumes it later.
    const isPaused = socket.isPaused();
    hold(reader, bytes.subarray(SLICE_BYTES));
    if (!isUnread && !isPaused) wait(reader);
  };
  const readSlice = (reader: Reader<Taken>): void => {
    const { socket } = reader.source;
    reader.waited();
    if (socket.destroyed || !socket.isPaused()) return;
    socket.resume();
    // Emits what it returns.
    socket.read(Math.min(socket.readableLength, SLICE_BYTES));
    if (socket.destroyed || socket.isPaused() || socket.readableLength === 0) return;
    hold(reader);
    wait(reader);
  };

  return {
    take(source) {
      const { socket, payer } = source;
      const [parser] = socket.listeners("data");
      if (parser === undefined) return;
      const reader = readerOf(source, { parser, memory: memory.open(payer) });
      // Before the other goes: without a listener the socket would stop.
      socket.on("data", (bytes: Uint8Array) => receive(reader, bytes)).off("data", parser);
      socket.once("close", () => {
        time.leave(payer, reader);
        reader.waited();
        release(reader);
      });
    },
  };
}

function readerOf<Taken extends Source>(
  source: Taken,
  { parser, memory }: { readonly parser: Function; readonly memory: BodyShare },
): Reader<Taken> {
  const parse = (bytes: Uint8Array): void => Reflect.apply(parser, source.socket, [bytes]);
  return { source, parse, memory, isCounted: false, waited: () => {}, unread: undefined };
}

const NOTHING = new Uint8Array(0);

/** Counts the slices parsed of the latest request without its body being read. */
function countUnread(reader: Reader<Source>): number {
  const { latest } = reader.source;
  if (latest === undefined || latest.complete || latest.readableFlowing === true) {
    reader.unread = undefined;
    return 0;
  }
  if (reader.unread?.request !== latest) reader.unread = { request: latest, slices: 0 };
  reader.unread.slices += 1;
  return reader.unread.slices;
}

/** Shares parsing time: a limited time per turn of the event loop, then clients that have used least go first. */
interface ParsingTime<Item extends object> {
  /** Whether there is time in this turn, and nothing waits. */
  readonly isLeft: () => boolean;
  /** Counts parsing time for its payer if others wait. */
  readonly spend: (payer: string, parse: (bytes: Uint8Array) => void, bytes: Uint8Array) => void;
  /** The item will be served once, when it is its turn. */
  readonly wait: (payer: string, item: Item) => void;
  readonly leave: (payer: string, item: Item) => void;
}

function createParsingTime<Item extends object>(
  { monotonic }: Pick<Clock, "monotonic">,
  serve: (item: Item) => void,
): ParsingTime<Item> {
  const queue = createLeastUsedQueue<Item>();
  let isDue = false;
  let isServing = false;
  let usedMs = 0;

  const serveNext = (): boolean => {
    const item = queue.take();
    if (item !== undefined) serve(item);
    return item !== undefined;
  };
  const serveTurn = (): void => {
    isServing = true;
    usedMs = 0;
    while (usedMs < TURN_MS && serveNext());
    isServing = false;
    isDue = false;
    usedMs = 0;
    if (queue.size() > 0) serveLater();
  };
  const serveLater = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(serveTurn);
  };

  return {
    isLeft: () =>
      isServing || /* guard: turns of parsing = true */ (usedMs < TURN_MS && queue.size() === 0),
    spend(payer, parse, bytes) {
      serveLater();
      const began = monotonic();
      parse(bytes);
      const ms = monotonic() - began;
      usedMs += ms;
      if (isServing) queue.charge(payer, ms);
    },
    wait(payer, item) {
      queue.add(payer, item);
      serveLater();
    },
    leave: queue.remove,
  };
}
