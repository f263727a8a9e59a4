import type { components } from "../../api/schema.ts";

export type StatusPage = components["schemas"]["StatusPage"];
export type Section = StatusPage["sections"][number];
