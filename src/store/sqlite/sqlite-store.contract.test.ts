import { rerunningUnits } from "../../../test/contracts/store/rerun-units.ts";
import { storeContract } from "../../../test/contracts/store/store.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";

storeContract("SQLite", tempStore);
storeContract("SQLite, with each unit run twice,", async () => rerunningUnits(await tempStore()));
