import { once } from "node:events";
import { writeFile } from "node:fs/promises";

import { waitFor } from "../time/wait-for.ts";

/** Where Node listens for a debugger that a signal has asked for. */
const INSPECTOR = "127.0.0.1:9229";

export interface Profile {
  /** Writes what was sampled, for the tools of a browser: where the main thread computed, and what of its memory was made where. */
  readonly save: () => Promise<void>;
}

/** Samples the main thread of a process of Node from now on. The inspector is one of its machine, which must have a network of its own. */
export async function profile(pid: number, file: string): Promise<Profile> {
  process.kill(pid, "SIGUSR1");
  const url = await waitFor("the inspector", () =>
    fetch(`http://${INSPECTOR}/json/list`)
      .then(async (response) => inspectorOf(await response.json()))
      .catch(() => undefined),
  );
  const socket = new WebSocket(url);
  await once(socket, "open");
  let calls = 0;
  const call = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    calls += 1;
    const id = calls;
    const replied = new Promise<Record<string, unknown>>((resolve) => {
      const listen = ({ data }: MessageEvent): void => {
        const reply: { readonly id?: number; readonly result: Record<string, unknown> } =
          JSON.parse(String(data));
        if (reply.id !== id) return;
        socket.removeEventListener("message", listen);
        resolve(reply.result);
      };
      socket.addEventListener("message", listen);
    });
    socket.send(JSON.stringify({ id, method, params }));
    return replied;
  };
  await call("Profiler.enable");
  await call("Profiler.start");
  await call("HeapProfiler.startSampling", { samplingInterval: 65_536 });
  return {
    async save() {
      const heap = await call("HeapProfiler.stopSampling");
      const cpu = await call("Profiler.stop");
      await writeFile(`${file}.cpuprofile`, JSON.stringify(cpu.profile));
      await writeFile(`${file}.heapprofile`, JSON.stringify(heap.profile));
      socket.close();
    },
  };
}

function inspectorOf(list: unknown): string | undefined {
  const [first]: { readonly webSocketDebuggerUrl?: string }[] = Array.isArray(list) ? list : [];
  return first?.webSocketDebuggerUrl;
}
