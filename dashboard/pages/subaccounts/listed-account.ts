import type { components } from "../../api/schema.ts";

/** An account as a list of accounts has it. */
export type ListedAccount = components["schemas"]["ListedAccount"];
