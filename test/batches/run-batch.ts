import { suite } from "node:test";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";

import { allTestFiles, batches, isIn, root, suites } from "./batches.ts";
import { followingPromises, nowRunning } from "./test-hook.ts";

/**
 * Runs the test files of a batch in this process, each as a suite of `node:test`, so that its hooks stay its own. An argument of the process names the
 * suite whose files are meant, instead of all.
 */
export async function runBatch(name: string): Promise<void> {
  const folders = batches[name] ?? [];
  const { port1: alive, port2 } = new MessageChannel();
  // A test may wait for a thread that keeps no process alive; without that the files after it would not run.
  alive.ref();
  const chosen = suites.find((each) => each === process.argv[2]);
  for (const file of allTestFiles(chosen).filter((each) => isIn(each, folders))) {
    nowRunning(file);
    await suite(file, () =>
      followingPromises(async () => {
        await import(join(root, file));
      }),
    );
  }
  alive.close();
  port2.close();
}
