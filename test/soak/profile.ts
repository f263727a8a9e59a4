import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";

import { waitFor } from "../time/wait-for.ts";

/** Where Node listens for a debugger that a signal has asked for. */
const INSPECTOR = "127.0.0.1:9229";
const SAMPLED_BYTES = 65_536;

export interface Profile {
  /** Writes what was sampled, for the tools of a browser: where the main thread computed, and where what it holds was made; and the memory of all threads. */
  readonly save: () => Promise<void>;
}

type Values = Readonly<Record<string, unknown>>;

/** Samples the main thread of a process of Node from now on. The inspector is one of its machine, which must have a network of its own. */
export async function profile(pid: number, file: string): Promise<Profile> {
  process.kill(pid, "SIGUSR1");
  const url = await waitFor("the inspector", () =>
    fetch(`http://${INSPECTOR}/json/list`)
      .then(async (response) => inspectorOf(await response.json()))
      .catch(() => undefined),
  );
  const session = await openSession(url);
  await session.call("Profiler.enable");
  await session.call("Profiler.start");
  await session.call("HeapProfiler.startSampling", { samplingInterval: SAMPLED_BYTES });
  return {
    async save() {
      const heap = await session.call("HeapProfiler.stopSampling");
      const cpu = await session.call("Profiler.stop");
      const threads = await memoryOfThreads(session);
      const system = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").split("\n").slice(1);
      await writeFile(`${file}.cpuprofile`, JSON.stringify(cpu.profile));
      await writeFile(`${file}.heapprofile`, JSON.stringify(heap.profile));
      await writeFile(`${file}.memory.json`, JSON.stringify({ threads, system }, undefined, 2));
      session.close();
    },
  };
}

function inspectorOf(list: unknown): string | undefined {
  const [first]: { readonly webSocketDebuggerUrl?: string }[] = Array.isArray(list) ? list : [];
  return first?.webSocketDebuggerUrl;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Values;
  readonly result?: Values;
}

interface Session {
  readonly call: (method: string, params?: object) => Promise<Values>;
  /** The events since it was opened. */
  readonly events: (method: string) => readonly Values[];
  readonly close: () => void;
}

async function openSession(url: string): Promise<Session> {
  const socket = new WebSocket(url);
  const replies = new Map<number, (result: Values) => void>();
  const events: Message[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message: Message = JSON.parse(String(data));
    if (message.id === undefined) events.push(message);
    else replies.get(message.id)?.(message.result ?? {});
  });
  await once(socket, "open");
  let calls = 0;
  return {
    call(method, params = {}) {
      calls += 1;
      const id = calls;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve) => replies.set(id, resolve));
    },
    events: (wanted) =>
      events.flatMap(({ method, params = {} }) => (method === wanted ? [params] : [])),
    close: () => socket.close(),
  };
}

/** Returns the memory of the main thread and each worker: its heap, used and reserved, and external memory. */
async function memoryOfThreads({ call, events }: Session): Promise<Values> {
  await call("NodeWorker.enable", { waitForDebuggerOnStart: false });
  const workers = events("NodeWorker.attachedToWorker");
  const message = JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" });
  for (const { sessionId } of workers)
    await call("NodeWorker.sendMessageToWorker", { sessionId, message });
  const answers = (): readonly Values[] => events("NodeWorker.receivedMessageFromWorker");
  await waitFor("the threads", () => answers().length >= workers.length);
  return {
    main: await call("Runtime.getHeapUsage"),
    workers: workers.map(({ sessionId, workerInfo }) => ({
      worker: workerInfo,
      said: answers().find((answer) => answer.sessionId === sessionId)?.message,
    })),
  };
}
