import { suite } from "node:test";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";

import { batches, isIn, root, testFiles } from "./batches.ts";
import { followingPromises } from "./test-hook.ts";

/** Runs the test files of a batch in this process, each as a suite, so that its hooks stay its own. */
export async function runBatch(name: string): Promise<void> {
  const folders = batches[name] ?? [];
  const { port1: alive, port2 } = new MessageChannel();
  // A test may wait for a thread that keeps no process alive; without that the files after it would not run.
  alive.ref();
  const files = testFiles(folders.map((folder) => `${folder}/**/*.test.ts`));
  for (const file of files.filter((each) => isIn(each, folders))) {
    await suite(file, () =>
      followingPromises(async () => {
        await import(join(root, file));
      }),
    );
  }
  alive.close();
  port2.close();
}
