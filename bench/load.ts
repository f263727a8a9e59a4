import { connect } from "node:net";

import { systemClock } from "../src/kit/clock.ts";

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** Each is sent once, as it is; the answer must carry a content-length. */
  readonly requests: readonly string[];
}

export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Sends every request once over a fixed number of kept connections, the next as soon as the last is answered. */
export async function load({ port, connections, requests }: Load): Promise<Measured> {
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
      let answer = "";
      const send = (): void => {
        current = next;
        next += 1;
        const buffer = buffers[current];
        if (buffer === undefined) {
          socket.end();
          resolve();
          return;
        }
        answer = "";
        sentAt = systemClock.monotonic();
        socket.write(buffer);
      };
      socket.on("connect", send).on("error", reject);
      socket.on("data", (chunk) => {
        answer += chunk.toString("latin1");
        const head = answer.indexOf("\r\n\r\n");
        if (head === -1) return;
        const [, length = "0"] = /content-length: (\d+)/i.exec(answer) ?? [];
        if (answer.length < head + 4 + Number(length)) return;
        latencies[current] = systemClock.monotonic() - sentAt;
        const status = answer.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        send();
      });
    });

  await Promise.all(Array.from({ length: connections }, converse));
  const seconds = (systemClock.monotonic() - began) / 1000;
  latencies.sort();
  const quantile = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: buffers.length / seconds, p50: quantile(0.5), p99: quantile(0.99), statuses };
}
