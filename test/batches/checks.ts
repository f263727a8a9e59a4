import { issuer } from "../peers/trusted-certificate.ts";
import { runBatch } from "./run-batch.ts";

// Trusted before anything is loaded that speaks TLS.
void issuer;
await runBatch("checks");
