import type { StatusPage } from "../../domain/status/status-page.ts";

export type PageKey = Pick<StatusPage, "accountId" | "id">;
