import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { notifySocket } from "../peers/notify-socket.ts";
import { closedPort } from "../peers/tcp.ts";
import { waitFor } from "../time/wait-for.ts";
import { logged, run, temporaryFolder } from "./process.ts";

test("a service is ready for its manager once it listens, answers the watchdog, and says that it stops", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "notify");
  using manager = notifySocket(path);
  await using program = run(folder.path, { NOTIFY_SOCKET: path, WATCHDOG_USEC: "600000" });
  await waitFor("it is ready", () => manager.received().flat().includes("READY=1"));
  const { address } = logged(program, "main.started");
  assert.equal((await fetch(`${address}/healthz`)).status, 200);
  const count = (): number =>
    manager.received().filter((lines) => lines.includes("WATCHDOG=1")).length;
  await waitFor("it answers the watchdog", () => count() >= 3);
  await waitFor("its state is shown", () => manager.received().flat().includes("STATUS=Ready"));
  assert.equal(await program.kill("SIGTERM"), 0);
  assert.deepEqual(manager.received().at(-1), ["STOPPING=1", "STATUS=Stopping"]);
  assert.doesNotMatch(program.log(), /main\.service_manager_failed/);
});

test("a service that waits for its database is not ready for its manager, which shows why", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "notify");
  using manager = notifySocket(path);
  await using program = run(folder.path, {
    NOTIFY_SOCKET: path,
    WATCHPOST_DATABASE_URL: `postgres://watchpost@127.0.0.1:${await closedPort()}/watchpost`,
    WATCHPOST_INSTANCE_KEY: "0123456789abcdef".repeat(4),
  });
  await waitFor("it says why", () =>
    manager
      .received()
      .flat()
      .some((line) => line.startsWith("STATUS=Waiting for the database: ")),
  );
  assert.equal(await program.kill("SIGTERM"), 0, program.log());
  assert.ok(!manager.received().flat().includes("READY=1"));
});
