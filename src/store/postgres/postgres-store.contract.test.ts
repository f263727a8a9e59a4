import { recordsContract } from "../../../test/contracts/store/store.ts";
import { postgresTestStore, testServer } from "../../../test/stores/postgres-store.ts";

const server = testServer();

// The long suite has the rest, with each unit run twice.
recordsContract("PostgreSQL", (options) => postgresTestStore(server(), options));
