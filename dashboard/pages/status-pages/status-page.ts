import type { components } from "../../api/schema.ts";

export type StatusPage = components["schemas"]["StatusPage"];
export type Subscriber = components["schemas"]["Subscriber"];
export type Subscribers = components["schemas"]["Subscribers"];
export type Section = StatusPage["sections"][number];
