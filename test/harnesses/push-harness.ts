import assert from "node:assert/strict";
import { createServer } from "node:http";

import { createPushHandler } from "../../src/heartbeats/handler.ts";
import { routeOf } from "../../src/heartbeats/heartbeat-route.ts";
import type { Heartbeat } from "../../src/heartbeats/heartbeat.ts";
import { createHeartbeats } from "../../src/heartbeats/heartbeats.ts";
import { heartbeatOf } from "../../src/heartbeats/read-heartbeat.ts";
import { createStalenessWatcher } from "../../src/controller/staleness.ts";
import { withRunRevision, type Check } from "../../src/domain/check.ts";
import { createIds } from "../../src/kit/ids.ts";
import { createReceiveGaps } from "../../src/kit/http/receive-gaps.ts";
import { createInterruptions } from "../../src/kit/interruptions.ts";
import { silentLog } from "../../src/kit/log.ts";
import { noMeter } from "../../src/kit/meter.ts";
import { lostBefore, ownReception } from "../../src/store/heartbeat-reception.ts";
import type { Store } from "../../src/store/store.ts";
import { portOf } from "../peers/tcp.ts";
import { aCheck, aContact, alice } from "../record-builders.ts";
import { advanceWithDisk, countWrites } from "../stores/count-writes.ts";
import { tempStore } from "../stores/temp-store.ts";
import { fakeClock } from "../time/fake-clock.ts";
import { quietBus } from "./quiet-bus.ts";
import { unlimited } from "./unlimited.ts";

export const token = "ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1";

/** The address of its heartbeats. */
export const heartbeatPath = `/v1/${alice.id}-PUSHED/${token}`;

/** One of that address, with metrics where there are any. */
export function aHeartbeat(
  data?: Readonly<Record<string, unknown>>,
  path: string = heartbeatPath,
): Heartbeat {
  const values = data === undefined ? {} : { data };
  return heartbeatOf(routeOf(path), {}, { values, text: () => undefined });
}

export function aPushCheck(changes: Partial<Check> = {}): Omit<Check, "no"> {
  const { parameters, ...rest } = changes;
  return aCheck(`${alice.id}-PUSHED`, {
    type: "PUSH",
    rechecks: 2,
    notifications: [{ CONTACT: "All" }],
    parameters: { checktoken: token, ...parameters },
    ...rest,
  });
}

/** The real store, heartbeats and their absence on a clock that is moved by hand. */
export async function pushHarness(
  changes: Partial<Check> = {},
  over: (store: Store) => Store = (store) => store,
  limits: Partial<typeof unlimited> = {},
) {
  const clock = fakeClock();
  const temp = await tempStore({ clock });
  const writes = countWrites(over(temp));
  const { store } = writes;
  const bus = quietBus(clock);
  const { no } = await temp.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.contacts.insert(aContact("CONTACT"));
    return tx.checks.insert(aPushCheck(changes));
  });
  let flips = 0;
  const flipped = (): void => {
    flips += 1;
  };
  const ids = createIds();
  const quiet = { log: silentLog, meter: noMeter };
  const heartbeats = createHeartbeats({ store, flipped, ids, clock, ...quiet });
  bus.changes.subscribe(heartbeats.invalidate);
  const interruptions = createInterruptions(clock);
  let stalledMs = 0;
  const receiveGaps = createReceiveGaps(clock);
  const staleness = createStalenessWatcher({
    store,
    receiveGaps,
    bus,
    heartbeats,
    reception: ownReception(interruptions, lostBefore(clock, undefined)),
    eventLoop: { stalledSince: () => stalledMs },
    clock,
    ...quiet,
  });
  const server = createServer(
    createPushHandler({ heartbeats, ...unlimited, receiveGaps, ...limits, ...quiet }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  let sockets = 0;
  server.on("connection", (socket) => {
    sockets += 1;
    socket.once("close", () => (sockets -= 1));
  });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  return {
    clock: { ...clock, advance: advanceWithDisk(clock, writes.pending) },
    store: temp,
    heartbeats,
    bus,
    no,
    port,
    interruptions,
    receiveGaps,
    /** Blocks the event loop for this many ms of each second from now on. */
    stall: (ms: number) => void (stalledMs = ms),
    open: () => sockets,
    flips: () => flips,
    /** Answers with the status and the body, as a client sees them. */
    async send(
      body?: string | object | Uint8Array<ArrayBuffer>,
      options: {
        query?: string;
        /** In place of `/v1` with the query. */
        path?: string;
        headers?: Record<string, string>;
        method?: string;
      } = {},
    ) {
      const query = options.query ?? `id=${alice.id}-PUSHED&checktoken=${token}`;
      const response = await fetch(`http://127.0.0.1:${port}${options.path ?? `/v1?${query}`}`, {
        method: options.method ?? "POST",
        headers: options.headers ?? { "content-type": "application/json" },
        ...(body === undefined
          ? {}
          : {
              body:
                typeof body === "string" || body instanceof Uint8Array
                  ? body
                  : JSON.stringify(body),
            }),
      });
      return { status: response.status, body: await response.text() };
    },
    /** Changes the check as a PUT does; those that cached it are notified only where it is published. */
    async put(put: Partial<Check>, isPublished = true): Promise<void> {
      const { check } = (await temp.checks.findById(`${alice.id}-PUSHED`)) ?? assert.fail();
      const next = { ...check, ...put, revision: check.revision + 1 };
      await temp.write((tx) => tx.checks.update(withRunRevision(check, next), clock.now()));
      if (isPublished) bus.changes.publish({ accountId: alice.id, checkNo: no });
    },
    watch(): void {
      running = staleness.run(stopping.signal);
    },
    async results() {
      const found = [];
      for await (const page of temp.results.page({
        checkNo: no,
        from: 0,
        to: clock.now() + 1e9,
        limit: 1000,
        order: "oldest",
      }))
        found.push(...page);
      return found;
    },
    state: async () => (await temp.states.get(no)).state,
    async [Symbol.asyncDispose](): Promise<void> {
      stopping.abort();
      await clock.advance(100);
      await running;
      server.closeAllConnections();
      server.close();
      await temp[Symbol.asyncDispose]();
    },
  };
}
