import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { closeConnections, emptyDatabase } from "../../../../test/stores/postgres-store.ts";
import { postgres } from "../../../../test/servers/postgres.ts";
import { waitFor } from "../../../../test/time/wait-for.ts";
import { SHARDS } from "../../../domain/shard.ts";
import { systemClock } from "../../../kit/clock.ts";
import { createSealer } from "../../../kit/crypto/seal.ts";
import { Secret } from "../../../kit/crypto/secret.ts";
import { silentLog } from "../../../kit/log.ts";
import { openDatabase, openLease } from "../open-database.ts";

const program = join(import.meta.dirname, "../../../../test/standing-owner/main.ts");

test("a process that is stopped inside a unit is taken over from, and what it commits when it goes on fails", async () => {
  const server = await postgres();
  await using ending = new AsyncDisposableStack();
  ending.defer(() => server[Symbol.asyncDispose]());
  ending.defer(() => closeConnections(server));
  const url = await emptyDatabase(server);
  const key = randomBytes(32);
  const child = spawn(process.execPath, [program, url, key.toString("hex")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  ending.defer(() => void child.kill("SIGKILL"));
  const said = text(child.stdout);
  await waitFor("it stands inside the unit", async () => isStopped(child.pid ?? 0));
  const common = {
    url: new Secret(url),
    clock: systemClock,
    sealer: createSealer(key),
    log: silentLog,
  };
  const store = await openDatabase({ ...common, connections: 2 });
  ending.defer(() => store.close());
  const lease = openLease(common);
  ending.defer(lease.close);
  await waitFor("it is taken over from", () => lease.owned().length === SHARDS);
  child.kill("SIGCONT");
  await once(child, "exit");
  assert.match(await said, /^refused: /);
  const changes: unknown[] = [];
  store.changes.subscribe((change) => void changes.push(change));
  await store.write((tx) => tx.changes.record({ accountId: "next", checkNo: undefined }));
  assert.deepEqual(changes, [{ accountId: "next", checkNo: undefined }]);
});

/** Its state is the field after the name, which is in brackets: proc_pid_stat(5). */
async function isStopped(pid: number): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8");
  return line.slice(line.lastIndexOf(")") + 2).startsWith("T");
}
