import { storeContract } from "../../../test/contracts/store/store.ts";
import { postgresTestStore, testServer } from "../../../test/stores/postgres-store.ts";

const server = testServer();

storeContract("PostgreSQL", (options) => postgresTestStore(server(), options));
