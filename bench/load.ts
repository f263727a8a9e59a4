import { connect } from "node:net";

import { systemClock } from "../src/kit/clock.ts";

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** Each is sent once, as it is; the answer must carry a content-length or come in chunks. */
  readonly requests: readonly string[];
  /** How long a connection rests after each answer. */
  readonly everyMs?: number;
}

export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Sends every request once over a fixed number of kept connections, the next as soon as the last is answered. */
export async function load({ port, connections, requests, everyMs }: Load): Promise<Measured> {
  const buffers = requests.map((request) => Buffer.from(request, "latin1"));
  const latencies = new Float64Array(buffers.length);
  const statuses: Record<string, number> = {};
  let next = 0;
  const began = systemClock.monotonic();

  const converse = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      let current = -1;
      let sentAt = 0;
      let answer = createAnswer();
      const send = (): void => {
        current = next;
        next += 1;
        const buffer = buffers[current];
        if (buffer === undefined) {
          socket.end();
          resolve();
          return;
        }
        answer = createAnswer();
        sentAt = systemClock.monotonic();
        socket.write(buffer);
      };
      socket.on("connect", send).on("error", reject);
      socket.on("data", (chunk: Buffer) => {
        if (!answer.ends(chunk)) return;
        latencies[current] = systemClock.monotonic() - sentAt;
        statuses[answer.status()] = (statuses[answer.status()] ?? 0) + 1;
        if (everyMs === undefined) send();
        else systemClock.setTimer(send, everyMs);
      });
    });

  await Promise.all(Array.from({ length: connections }, converse));
  const seconds = (systemClock.monotonic() - began) / 1000;
  latencies.sort();
  const quantile = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: buffers.length / seconds, p50: quantile(0.5), p99: quantile(0.99), statuses };
}

const END_OF_CHUNKS = "0\r\n\r\n";

interface Answer {
  readonly status: () => string;
  /** Takes what came next, and says whether that was the end. */
  readonly ends: (chunk: Buffer) => boolean;
}

/** Reads as little of an answer as it takes to know where it ends. */
function createAnswer(): Answer {
  let status = "";
  let head = "";
  let missing: number | undefined;
  let tail = "";
  const go = (bytes: number, chunk: Buffer): boolean => {
    if (missing !== undefined) {
      missing -= bytes;
      return missing <= 0;
    }
    const last = chunk.toString("latin1", Math.max(0, chunk.length - END_OF_CHUNKS.length));
    tail = (tail + last).slice(-END_OF_CHUNKS.length);
    return tail === END_OF_CHUNKS;
  };
  return {
    status: () => status,
    ends(chunk) {
      if (status !== "") return go(chunk.length, chunk);
      head += chunk.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return false;
      status = head.slice(9, 12);
      const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
      missing = length === undefined ? undefined : Number(length);
      return go(head.length - end - 4, chunk);
    },
  };
}
