import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { notifySocket } from "../../test/peers/notify-socket.ts";
import { drainEventLoop, fakeClock } from "../../test/time/fake-clock.ts";
import { openServiceManager } from "./service-manager.ts";

const PID = 4711;

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "watchpost-notify-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

function logOf(events: unknown[]) {
  return { warn: (event: string, fields?: object) => void events.push([event, fields]) };
}

test("a process says that it serves, how it is when that changes, and that it stops", async () => {
  using place = await folder();
  for (const path of [join(place.path, "notify"), `@watchpost-${place.path}`]) {
    using socket = notifySocket(path);
    const [clock, warned] = [fakeClock(), [] as unknown[]];
    const environment = { NOTIFY_SOCKET: path, PATH: "/bin" };
    const manager = await openServiceManager(environment, { clock, log: logOf(warned), pid: PID });
    assert.deepEqual(environment, { PATH: "/bin" }, "programs that it starts do not speak for it");
    manager.status("Waiting for the database:\nit recovers");
    const condition = { reasons: [] as string[], troubles: [] as string[] };
    const stop = new AbortController();
    const serving = manager.serve(
      { unready: () => condition.reasons, degraded: () => condition.troubles },
      stop.signal,
    );
    await clock.advance(60_000);
    condition.troubles = ["the disk is full"];
    await clock.advance(60_000);
    condition.reasons = ["the database is damaged", "stopping"];
    await clock.advance(60_000);
    stop.abort();
    await serving;
    manager.stopping();
    assert.deepEqual(socket.received(), [
      ["STATUS=Waiting for the database: it recovers"],
      ["READY=1", "STATUS=Ready"],
      ["STATUS=Ready, but degraded: the disk is full"],
      ["STATUS=Not ready: the database is damaged; stopping"],
      ["STOPPING=1", "STATUS=Stopping"],
    ]);
    assert.deepEqual(warned, []);
  }
});

test("the watchdog is answered several times within its time, by the process that it watches alone", async () => {
  using place = await folder();
  using socket = notifySocket(join(place.path, "notify"));
  for (const [watched, expected] of [
    [PID, 31],
    [PID + 1, 0],
  ] as const) {
    const clock = fakeClock();
    const environment = {
      NOTIFY_SOCKET: join(place.path, "notify"),
      WATCHDOG_USEC: "6000000",
      WATCHDOG_PID: String(watched),
    };
    const manager = await openServiceManager(environment, { clock, log: logOf([]), pid: PID });
    const before = socket.received().length;
    const stop = new AbortController();
    void manager.serve({ unready: () => [] }, stop.signal);
    for (let turn = 0; turn < 30; turn += 1) {
      await clock.advance(2000);
      // A queue takes about ten messages.
      socket.received();
    }
    stop.abort();
    const answers = socket.received().slice(before).flat();
    assert.equal(answers.filter((line) => line === "WATCHDOG=1").length, expected);
    assert.equal(answers.filter((line) => line === "READY=1").length, 1);
  }
});

test("what the manager did not accept is sent again", async () => {
  using place = await folder();
  const path = join(place.path, "notify");
  const [clock, warned] = [fakeClock(), [] as unknown[]];
  const manager = await openServiceManager(
    { NOTIFY_SOCKET: path },
    { clock, log: logOf(warned), pid: PID },
  );
  const stop = new AbortController();
  void manager.serve({ unready: () => [] }, stop.signal);
  await drainEventLoop(1);
  assert.deepEqual(warned, [["main.service_manager_failed", { error: `sendto ${path}: ENOENT` }]]);
  using socket = notifySocket(path);
  await clock.advance(10_000);
  stop.abort();
  assert.deepEqual(socket.received(), [["READY=1", "STATUS=Ready"]]);
});

test("a process without a manager, or with one that it cannot reach, works without it", async () => {
  const clock = fakeClock();
  for (const [path, expected] of [
    ["", []],
    [undefined, []],
    ["vsock:2:1234", [/neither an absolute path nor a name/]],
    [`/${"x".repeat(200)}`, [/too long/]],
  ] as const) {
    const warned: unknown[] = [];
    const manager = await openServiceManager(
      { NOTIFY_SOCKET: path },
      { clock, log: logOf(warned), pid: PID },
    );
    manager.status("Starting");
    assert.equal(warned.length, expected.length);
    for (const words of expected) assert.match(JSON.stringify(warned), words);
  }
});
