import { z } from "zod";

import { checkTypeOf } from "../../checks/registry.ts";
import { isRecord } from "../../kit/safe-json.ts";
import { parseResponse, type ApiClient, type JsonObject } from "../api-client.ts";
import { configuration, type CheckEntry, type Configuration } from "./document.ts";

export interface AccountTree {
  /** The id of the token's own account. */
  readonly own: string;
  /** Subaccounts by id. */
  readonly subaccounts: Readonly<Record<string, { readonly name: string }>>;
}

const listed = z.record(z.string(), z.object({ name: z.string() }));

export async function readAccountTree(api: ApiClient): Promise<AccountTree> {
  const [first, ...others] = Object.entries(parseResponse(listed, await api("GET", "accounts")));
  return { own: first?.[0] ?? "", subaccounts: Object.fromEntries(others) };
}

/** The members of a configuration, and the resources that they come from. */
const sections = [
  ["account", "accounts"],
  ["branding", "branding"],
  ["contacts", "contacts"],
  ["contactgroups", "contactgroups"],
  ["schedules", "schedules"],
  ["notificationprofiles", "notificationprofiles"],
  ["checks", "checks"],
  ["maintenance", "maintenance"],
  ["statuspages", "statuspages"],
] as const;

/** Reads the whole configuration of an account. */
export async function readConfiguration(api: ApiClient, accountId: string): Promise<Configuration> {
  // At the same time, because what takes long is the way there.
  const entries = await Promise.all(
    sections.map(async ([name, resource]) => {
      const answer = await api("GET", resource, { customerid: accountId });
      return [name, answer] as const;
    }),
  );
  const answers = Object.fromEntries(entries);
  const found = parseResponse(configuration, {
    ...answers,
    maintenance: withCron(answers.maintenance ?? {}),
    statuspages: withoutOwnSlugs(answers.statuspages ?? {}),
  });
  return { ...found, checks: withoutAssigned(found.checks) };
}

/** Leaves out maintenances without a cron, which are deleted when they end. */
function withCron(maintenance: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(maintenance).filter(([, each]) => isRecord(each) && each.cron !== undefined),
  );
}

/** Leaves out names that pages were given with their ids: in another account they have others. */
function withoutOwnSlugs(pages: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(pages).map(([id, page]) => {
      if (!isRecord(page) || page.slug !== id.toLowerCase()) return [id, page];
      const { slug: _slug, ...rest } = page;
      return [id, rest];
    }),
  );
}

/** Leaves out parameters that only the service may set. */
function withoutAssigned(checks: Configuration["checks"]): Configuration["checks"] {
  return Object.fromEntries(
    Object.entries(checks).map(([id, { intervalseconds, ...check }]) => {
      const assigned = checkTypeOf(check.type)?.assigned ?? [];
      const parameters = Object.entries(check.parameters).filter(
        ([name]) => !assigned.includes(name),
      );
      // A legacy token shows a part of a minute as a whole one.
      const exact = typeof intervalseconds === "number" && { interval: intervalseconds / 60 };
      const entry = { ...check, ...exact, parameters: Object.fromEntries(parameters) };
      return [id, entry satisfies CheckEntry];
    }),
  );
}
