import { runBatch } from "./run-batch.ts";

await runBatch("access");
