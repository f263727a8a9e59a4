import { createServer } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { once } from "node:events";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { listen, portOf } from "../peers/tcp.ts";
import type { Truth } from "./judges/judge-states.ts";
import type { Random } from "./random.ts";

/** Target of a check, which the storm turns down and up, with the times of each change. */
export interface Target {
  /** The parameters of its check. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly truths: readonly Truth[];
  readonly turn: (isUp: boolean, manner?: Manner) => Promise<void>;
}

/** How a web server is down; by chance where nobody says it. */
type Manner = "error" | "hang";

export interface Targets extends AsyncDisposable {
  readonly http: () => Target;
  readonly port: () => Promise<Target>;
}

/** Listens at an address of this machine, to which names of the storm lead. */
export async function createTargets(
  random: Random,
  nameOf: (label: string) => string,
  host = "127.0.0.1",
): Promise<Targets> {
  const down = new Map<string, Manner>();
  const server = createServer(({ url = "" }, response) => {
    const manner = down.get(url);
    if (manner === undefined) response.end("ok");
    // Text that PostgreSQL does not take.
    else if (manner === "error") response.writeHead(500).end("down\0");
  });
  await using stack = new AsyncDisposableStack();
  const peer = stack.use(await listen(server, host));
  const kept = stack.move();
  let made = 0;
  const http = (): Target => {
    made += 1;
    const path = `/${made}`;
    return createTarget(
      { type: "HTTP", target: `http://${nameOf(`web${made}`)}:${peer.port}${path}` },
      async (isUp, manner = random.pick(["error", "hang"])) => {
        if (isUp) down.delete(path);
        else down.set(path, manner);
      },
    );
  };
  const port = async (): Promise<Target> => {
    const own = kept.use(await switchedListener(host));
    const target = nameOf(`port${own.port}`);
    return createTarget({ type: "PORT", target, port: own.port }, own.turn);
  };
  return { http, port, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function createTarget(parameters: Target["parameters"], turn: Target["turn"]): Target {
  const truths: Truth[] = [{ at: 0, isUp: true }];
  return {
    parameters,
    truths,
    async turn(isUp, manner) {
      if (truths.at(-1)?.isUp === isUp) return;
      await turn(isUp, manner);
      truths.push({ at: systemClock.monotonic(), isUp });
    },
  };
}

/** One that nobody turns down. */
export function steadyTarget(parameters: Target["parameters"]): Target {
  return createTarget(parameters, async () => {});
}

interface SwitchedListener extends AsyncDisposable {
  readonly port: number;
  readonly turn: (isUp: boolean) => Promise<void>;
}

/** Listens on one port, and refuses there while it is down. */
async function switchedListener(host: string): Promise<SwitchedListener> {
  const sockets = new Set<Socket>();
  const server: Server = createTcpServer((socket) => {
    sockets.add(socket);
    socket
      .on("error", () => {})
      .on("close", () => sockets.delete(socket))
      .resume();
  });
  const open = async (at: number): Promise<void> => {
    server.listen(at, host);
    await once(server, "listening");
  };
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, "close");
  };
  await open(0);
  const port = portOf(server);
  return {
    port,
    turn: (isUp) => (isUp ? open(port) : close()),
    [Symbol.asyncDispose]: close,
  };
}

/** How long a target stays as it is, in seconds: some outages are over before they can be confirmed, some are long enough that they must be seen. */
const STAYS_S = [3, 15, 40, 110, 160] as const;

interface Turning {
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly staysS?: readonly [number, ...number[]];
}

/** Turns each target down and up until the signal aborts, and leaves all up. */
export async function turnTargets(
  targets: readonly Target[],
  { random, signal, staysS = STAYS_S }: Turning,
): Promise<void> {
  const turning = targets.map(async (target) => {
    const own = random.split();
    for (let isUp = true; !signal.aborted; isUp = !isUp) {
      await target.turn(isUp);
      await sleep(systemClock, 1000 * own.pick(staysS) * (0.5 + own.next()), signal);
    }
    await target.turn(true);
  });
  await Promise.all(turning);
}
