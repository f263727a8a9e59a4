import process from "node:process";

import { createSealer } from "../../src/kit/crypto/seal.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { messageOf } from "../../src/kit/errors.ts";
import { silentLog } from "../../src/kit/log.ts";
import { openDatabase, openLease } from "../../src/store/postgres/open-database.ts";
import { waitFor } from "../time/wait-for.ts";

// A process that controls all checks of the database, and is stopped inside a unit about them by SIGSTOP.
const [, , url = "", key = ""] = process.argv;
const common = {
  url: new Secret(url),
  clock: systemClock,
  sealer: createSealer(Buffer.from(key, "hex")),
  log: silentLog,
};
const store = await openDatabase({ ...common, connections: 4 });
const lease = openLease(common);
await waitFor("it owns the shards", () => lease.owned().length > 0);
const writes = store.heldBy(lease.hold);
const ended = await writes
  .write(async (tx) => {
    await tx.changes.record({ accountId: "late", checkNo: undefined });
    process.kill(process.pid, "SIGSTOP");
  })
  .then(
    () => "committed",
    (error: unknown) => `refused: ${messageOf(error)}`,
  );
process.stdout.write(`${ended}\n`);
process.exit(0);
