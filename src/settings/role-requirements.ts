import type { z } from "zod";

import { roleNames } from "./role-settings.ts";
import type { settings } from "./settings.ts";

type Settings = z.output<typeof settings>;

/** The settings that are wrong or missing where a process does only a part of the work, each with why. */
export function wrongRoles({
  WATCHPOST_ROLES: roles,
  WATCHPOST_DATABASE_URL: database,
  WATCHPOST_NATS_URL: nats,
  WATCHPOST_URL: url,
}: Settings): readonly (readonly [name: keyof Settings, why: string])[] {
  const has = (role: (typeof roleNames)[number]): boolean => roles.includes(role);
  const given = `WATCHPOST_ROLES=${roles.join()}`;
  if (roles.length === 1 && has("probe"))
    return [["WATCHPOST_ROLES", "a process with the role probe alone is `watchpost probe`"]];
  const wrong: (readonly [keyof Settings, string])[] = [];
  if (roles.length < roleNames.length && database === undefined)
    wrong.push([
      "WATCHPOST_DATABASE_URL",
      `required with ${given}: only over a database on PostgreSQL can processes share the work`,
    ]);
  if (nats === undefined && (has("api") || has("controller")) && !has("probe"))
    wrong.push([
      "WATCHPOST_NATS_URL",
      `required with ${given}: without the role probe this process reaches locations over NATS alone`,
    ]);
  if (nats === undefined && has("probe") && !has("controller"))
    wrong.push([
      "WATCHPOST_NATS_URL",
      `required with ${given}: without the role controller its locations are asked over NATS alone`,
    ]);
  if (url === undefined && has("notifier") && !has("api"))
    wrong.push([
      "WATCHPOST_URL",
      `required with ${given}: the links of alerts lead to a process with the role api`,
    ]);
  return wrong;
}
