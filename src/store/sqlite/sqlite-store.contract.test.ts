import { storeContract } from "../../../test/contracts/store.ts";
import { tempStore } from "../../../test/temp-store.ts";

storeContract("SQLite", tempStore);
