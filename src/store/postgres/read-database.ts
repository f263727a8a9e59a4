import type { Secret } from "../../kit/crypto/secret.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import { createReads } from "../tables/queries.ts";
import type { Reads } from "../store.ts";
import { kyselyOver } from "./dialect.ts";
import { postgresEngine } from "./engine.ts";
import { createPartitionedDays } from "./partitions/result-days.ts";
import { createPool } from "./pool.ts";
import { verifyInstallation } from "./prepare-database.ts";
import { createResults } from "./results.ts";

/** Reads the database of a URL beside every process that uses it, without changing it. */
export async function readDatabase<Value>(
  { url, sealer }: { readonly url: Secret; readonly sealer: Sealer },
  read: (reads: Omit<Reads, "changes" | "results">) => Promise<Value>,
): Promise<Value> {
  const db = kyselyOver(createPool({ url, most: 1 }));
  try {
    await verifyInstallation(db, sealer);
    const days = await createPartitionedDays(db);
    const { latest } = createResults(db, { sealer, log: silentLog, meter: noMeter, days });
    const deps = { engine: postgresEngine, sealer, maxEvidenceBytes: 0, latestResults: latest };
    return await read(createReads(db, deps));
  } finally {
    await db.destroy();
  }
}
