import "../peers/trusted-certificate.ts";
import { runBatch } from "./run-batch.ts";

await runBatch("checks");
