import { suite } from "node:test";
import { join } from "node:path";

import { batches, isIn, root, testFiles } from "./batches.ts";

/** Runs the test files of a batch in this process, each as a suite, so that its hooks stay its own. */
export async function runBatch(name: string): Promise<void> {
  const folders = batches[name] ?? [];
  const files = testFiles(folders.map((folder) => `${folder}/**/*.test.ts`));
  for (const file of files.filter((each) => isIn(each, folders))) {
    await suite(file, async () => {
      await import(join(root, file));
    });
  }
}
