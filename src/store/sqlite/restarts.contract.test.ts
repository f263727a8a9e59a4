import { rm } from "node:fs/promises";

import { restartContract } from "../../../test/contracts/store/restarts.ts";
import { createSameThreadDatabase } from "../../../test/stores/same-thread-database.ts";
import { storeFolder } from "../../../test/stores/store-folder.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { silentLog } from "../../kit/log.ts";
import { lostBefore, ownReception } from "../heartbeat-reception.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const NOTED_INTERVAL_MS = 4000;

restartContract("SQLite", async (clock) => {
  const directory = await storeFolder();
  const sealer = createSealer(new Uint8Array(32));
  const openThread = createSameThreadDatabase;
  return {
    async start(interruptions) {
      const options = { directory, clock, sealer, log: silentLog, openThread, interruptions };
      const store = await openSqliteStore(options);
      return {
        reception: ownReception(interruptions, lostBefore(clock, store.receptionBefore?.())),
        async live(ms) {
          for (let left = ms; left > 0; left -= NOTED_INTERVAL_MS) {
            clock.jump(Math.min(left, NOTED_INTERVAL_MS));
            await store.probeWrite();
          }
        },
        end: store.close,
      };
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
});
