import type { Job, LocationHandlers } from "../../src/bus/bus.ts";
import { serveMainThread } from "../../src/probe/threads/serve-main-thread.ts";
import { contractLocation, createScriptedHandlers } from "../contracts/bus.ts";

/** Handlers that also do what no check type does: `spin` computes without an end, `grow` takes all memory, `throw` fails in a callback. */
function createEndingHandlers(): LocationHandlers {
  const scripted = createScriptedHandlers();
  return {
    ...scripted,
    runJob(job) {
      if (!["spin", "grow", "throw"].includes(job.type)) return scripted.runJob(job);
      endThread(job);
      return new Promise(() => {});
    },
  };
}

function endThread({ type }: Pick<Job, "type">): void {
  if (type === "throw")
    setImmediate(() => {
      throw new Error("a callback failed");
    });
  while (type === "spin");
  if (type === "grow") grow([]);
}

/** In small steps, so that it does not look as if it computed without an end. */
function grow(kept: number[][]): void {
  kept.push(Array<number>(1_000_000).fill(kept.length / 3));
  setImmediate(grow, kept);
}

serveMainThread(() => new Map([[contractLocation.code, createEndingHandlers()]]));
