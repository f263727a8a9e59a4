import { availableParallelism } from "node:os";

import { z } from "zod";

import { hostAndPort } from "./setting-schemas.ts";

/** How checks are run. */
export const probeSettings = {
  WATCHPOST_PROBE_THREADS: z
    .string()
    .regex(/^(?:[0-9]|[1-5][0-9]|6[0-4])$/, { error: "must be a whole number from 0 to 64" })
    .transform(Number)
    .default(Math.min(Math.max(availableParallelism() - 1, 1), 4))
    .meta({
      fallback: "one less than the processors, 1 to 4",
      meaning:
        "The threads that run checks, so that neither a target nor a pattern delays the API and heartbeats; `0` runs checks in the main thread",
    }),
  WATCHPOST_HEALTH_LISTEN: hostAndPort.optional().meta({
    fallback: "none",
    meaning:
      "The address and port where `watchpost probe` answers `/healthz`, `/readyz` and `/metrics`, such as `127.0.0.1:4849`; without it a probe listens nowhere",
  }),
};
