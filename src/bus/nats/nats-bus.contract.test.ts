import { randomBytes } from "node:crypto";
import { after, before } from "node:test";

import {
  busContract,
  contractLocation,
  createScriptedHandlers,
  type BusDeps,
} from "../../../test/contracts/bus.ts";
import { nats, type Nats } from "../../../test/servers/nats.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { systemClock } from "../../kit/clock.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import type { Bus } from "../bus.ts";
import { createLocationSealers, deriveLocationKey } from "../location-key.ts";
import { createMemoryBus } from "../memory-bus.ts";
import { createLocationServer } from "./location-server.ts";
import { createNatsBus } from "./nats-bus.ts";

let server: Nats;
before(async () => {
  server = await nats();
});
after(() => server[Symbol.asyncDispose]());

const instance = createSealer(randomBytes(32));
const { code, region } = contractLocation;

/** A controller on the contract's clock, and a probe on another connection, on its own one. */
async function open(deps: BusDeps): Promise<Bus> {
  const access = {
    servers: [`127.0.0.1:${server.port}`],
    requiresTls: false,
    ca: undefined,
    certificate: undefined,
    seed: undefined,
  };
  const probe = createLocationServer({
    access,
    key: deriveLocationKey(instance, code, { generation: 1, region }),
    types: [],
    version: "1.2.3",
    refused: () => {},
    clock: systemClock,
    log: silentLog,
    meter: noMeter,
  });
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  const scripted = createScriptedHandlers();
  probe.serve(contractLocation, {
    runJob: (job) => Promise.race([scripted.runJob(job), closed.promise]),
    runDiagnostics: (request) => Promise.race([scripted.runDiagnostics(request), closed.promise]),
  });
  const bus = createNatsBus({ ...deps, access, sealerOf: createLocationSealers(instance) });
  await waitFor("the location is live", () => bus.presence.live().length > 0);
  const local = createMemoryBus(deps);
  return {
    ...bus,
    changes: local.changes,
    serve: probe.serve,
    async close() {
      await Promise.all([local.close(), bus.close()]);
      closed.reject(new Error("the probe is closed"));
      await probe.close();
    },
  };
}

busContract(open);
