import { rerunningUnits } from "../../../test/contracts/rerun-units.ts";
import { storeContract } from "../../../test/contracts/store.ts";
import { tempStore } from "../../../test/temp-store.ts";

storeContract("SQLite", tempStore);
storeContract("SQLite, with each unit run twice,", async () => rerunningUnits(await tempStore()));
