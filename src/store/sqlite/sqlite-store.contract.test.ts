import { storeContract } from "../../../test/contracts/store/store.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";

storeContract("SQLite", (options) => tempStore({ hasThread: true, ...options }));
