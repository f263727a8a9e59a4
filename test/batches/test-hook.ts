import { createHook } from "node:async_hooks";
import { createRequire } from "node:module";

/** The module's own object, from which `node:test` takes the function when it is loaded. */
const hooks: { createHook: typeof createHook } = createRequire(import.meta.url)("node:async_hooks");
let whole: ReturnType<typeof createHook> | undefined;

/*
 * `node:test` follows every promise of a process, to say which test an error belongs to that nobody caught: 40 % of the processor time of
 * the tests of the API. Loaded before it, this makes it follow all but promises.
 */
hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  whole = createHook(callbacks);
  return createHook({ ...callbacks, trackPromises: false });
};

/** Works while promises are followed too, as those are that wait for a file whose tests belong to a suite. */
export async function followingPromises(work: () => Promise<void>): Promise<void> {
  whole?.enable();
  try {
    await work();
  } finally {
    whole?.disable();
  }
}

let file = process.argv[1];

/** Says which file of a batch runs from now on. */
export function nowRunning(next: string): void {
  file = next;
}

// By the runner, of a process that does not end. A process that does not listen ignores the signal.
process.on("SIGURG", () => {
  const open = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  const counts = [...open].map(([kind, { length }]) => `${length} ${kind}`);
  process.stderr.write(`${file} runs, and has open: ${counts.join(", ")}\n`);
});
