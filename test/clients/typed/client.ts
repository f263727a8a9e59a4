import assert from "node:assert/strict";

import { z } from "zod";

import type { CompatibilityMode } from "../../../src/domain/account/token.ts";

/*
 * The records of the API, written from its specification and from nothing else. Members that it does not name may be there; those that it names have the
 * type that it gives them.
 */

const account = z.object({
  parent: z.int().optional(),
  name: z.string(),
  status: z.enum(["Active", "Suspend"]),
  count: z.int(),
});
const address = z.object({
  address: z.string(),
  type: z.enum(["email", "twitter", "sms", "webhook", "voice"]),
  status: z.string(),
  suppressup: z.boolean().optional(),
  suppressdown: z.boolean().optional(),
  suppressfirst: z.boolean().optional(),
  suppressall: z.boolean().optional(),
});
const contact = z.object({
  _id: z.string(),
  type: z.literal("contact"),
  customer_id: z.string(),
  name: z.string(),
  custrole: z.enum(["owner", "edit", "view", "notify"]),
  addresses: z.record(z.string(), address).optional(),
});
const group = z.object({
  _id: z.string(),
  type: z.literal("group"),
  customer_id: z.string(),
  name: z.string(),
  members: z.array(z.string()),
});
const bit = z.union([z.literal(0), z.literal(1)]);
/** A legacy token shows `exclude` as it was sent. */
const days = {
  standard: dayWith(bit),
  legacy: dayWith(z.union([bit, z.boolean()])),
};

function dayWith(exclude: z.ZodType): z.ZodObject {
  return z.object({
    time1: z.string().optional(),
    time2: z.string().optional(),
    exclude: exclude.optional(),
  });
}
const profile = z.object({
  _id: z.string(),
  type: z.literal("notificationprofile"),
  customer_id: z.string(),
  name: z.string(),
  notifications: z.array(z.record(z.string(), z.object({ schedule: z.string(), delay: z.int() }))),
});
const check = z.object({
  _id: z.string(),
  _rev: z.string(),
  customer_id: z.string(),
  label: z.string(),
  type: z.string(),
  interval: z.int(),
  notifications: z.array(z.record(z.string(), z.unknown())),
  status: z.enum(["assigned", "modified"]),
  modified: z.int(),
  created: z.int(),
  enable: z.string(),
  public: z.boolean(),
  parameters: z.object({
    target: z.string().optional(),
    threshold: z.union([z.string(), z.number()]),
    sens: z.union([z.string(), z.number()]).optional(),
    port: z.int().optional(),
    statuscode: z.int().optional(),
    warningdays: z.int().optional(),
    follow: z.boolean().optional(),
  }),
  queue: z.string(),
  uuid: z.string(),
  state: z.union([z.literal(0), z.literal(1)]).optional(),
  firstdown: z.union([z.literal(false), z.int()]),
});
const result = z.object({
  _id: z.string(),
  ci: z.string(),
  t: z.string(),
  tg: z.string(),
  th: z.string(),
  i: z.string(),
  ra: z.string(),
  q: z.string(),
  s: z.int(),
  sc: z.string(),
  m: z.string(),
  su: z.boolean(),
  rt: z.int(),
  e: z.int(),
  l: z.record(z.string(), z.unknown()),
});
const uptime = z.object({ enabled: z.int(), down: z.int(), uptime: z.number().optional() });
const event = z.object({ type: z.enum(["disabled", "down"]), label: z.string(), t: z.int() });

export interface Site {
  readonly api: string;
  readonly token: string;
  readonly mode: CompatibilityMode;
}

/** How many records each list has; throws where one does not have its type. */
export async function countRecords({ api, token, mode }: Site): Promise<Record<string, number>> {
  const authorization = `Basic ${btoa(`${token}:`)}`;
  const read = async <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    const response = await fetch(`${api}/${path}`, { headers: { authorization } });
    const parsed = schema.safeParse(await response.json());
    assert.ok(parsed.success, `${path}: ${parsed.error?.message}`);
    return parsed.data;
  };
  const sizeOf = async (path: string, schema: z.ZodType<object>): Promise<number> =>
    Object.keys(await read(path, schema)).length;
  const checks = Object.keys(await read("checks", z.record(z.string(), check)));
  const results = [];
  for (const id of checks) {
    assert.equal((await read(`checks/${id}`, check))._id, id);
    results.push(...(await read(`results/${id}?clean=true`, z.array(result))));
    await read(`results/uptime/${id}`, z.record(z.string(), uptime));
  }
  return {
    accounts: await sizeOf("accounts", z.record(z.string(), account)),
    contacts: await sizeOf("contacts", z.record(z.string(), contact)),
    contactgroups: await sizeOf("contactgroups", z.record(z.string(), group)),
    schedules: await sizeOf("schedules", z.record(z.string(), z.record(z.string(), days[mode]))),
    notificationprofiles: await sizeOf("notificationprofiles", z.record(z.string(), profile)),
    checks: checks.length,
    events: await sizeOf("results/current", z.record(z.string(), event)),
    results: results.length,
    notifications: await sizeOf("notifications", z.array(z.record(z.string(), z.unknown()))),
  };
}
