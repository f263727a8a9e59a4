import assert from "node:assert/strict";

import type { CompatibilityMode } from "../src/api/http/compatibility.ts";
import { plainCheck } from "./api-fixture.ts";
import type { TestResponse } from "./api-fixture.ts";
import { markerOf } from "./account-fixture.ts";
import type { RecordKind } from "./account-fixture.ts";
import { names } from "./fuzz/callers.ts";
import type { Name } from "./fuzz/callers.ts";
import { storedRows } from "./fuzz/stored-rows.ts";
import type { FuzzServer } from "./fuzz/fuzz-server.ts";

/** Alice has a primary account, Bob's is hers, Carol is a stranger. */
const parents: Readonly<Partial<Record<Name, Name>>> = { bob: "alice" };

/** Whose token is shown, and whose account is named. */
export interface Caller {
  readonly token: Name | "unknown" | "none";
  readonly account: Name | undefined;
}

export const callers = ([...names, "unknown", "none"] as const).flatMap((token) =>
  [undefined, ...names].map((account): Caller => ({ token, account })),
);

/** The one rule: whom a request is about, or why it is refused. */
export function scopeOf({ token, account }: Caller): Name | "no token" | "not yours" {
  if (token === "unknown" || token === "none") return "no token";
  const scope = account ?? token;
  return scope === token || parents[scope] === token ? scope : "not yours";
}

export function titleOf({ token, account }: Caller): string {
  return `${token} for ${account ?? "the token's own"}`;
}

export const refusals: Readonly<Record<string, string>> = {
  "no token": "Token not found",
  "not yours": "You do not have the correct permissions for that account.",
};

interface Operation {
  /** What the ids are of that are asked for. */
  readonly about: readonly RecordKind[];
  readonly sends?: object;
  /** Finds the record, unless it makes or lists others whatever the id, or no record has such an id. */
  readonly effect?: "creates" | "lists" | "misses";
  /** It takes no account: what it tells is the same for all. */
  readonly isForAll?: true;
  /** The status for what is not there, in standard mode; 404 unless given. */
  readonly missing?: number;
}

const methods = ["GET", "POST", "PUT", "DELETE"] as const;
export const checks: readonly RecordKind[] = ["check", "push"];
const week = { data: { monday: { time1: "8:00", time2: "17:00" } } };
export const changedName = { name: "touched" };

export const plannedMaintenance = { ...changedName, duration: 5, cron: "0 2 * * *", checklist: [] };

export const operations: Readonly<Record<string, Operation>> = {
  "GET branding": { about: ["contact"], effect: "lists" },
  "PUT branding": { about: ["contact"], effect: "creates", sends: { downtext: "touched" } },
  "DELETE branding": { about: ["contact"], effect: "lists" },
  "GET checks": { about: checks },
  "POST checks": { about: checks, effect: "creates", sends: plainCheck },
  "PUT checks": { about: checks, sends: { label: "touched" } },
  "DELETE checks": { about: checks },
  "GET contactgroups": { about: ["group"] },
  "POST contactgroups": { about: ["group"], effect: "creates", sends: changedName },
  "PUT contactgroups": { about: ["group"], sends: changedName },
  "DELETE contactgroups": { about: ["group"] },
  "GET contacts": { about: ["contact"] },
  "POST contacts": { about: ["contact"], effect: "creates", sends: changedName },
  "PUT contacts": { about: ["contact"], sends: changedName },
  "DELETE contacts": { about: ["contact"] },
  "RESETPASSWORD contacts": { about: ["contact"] },
  "TEST contacts": { about: ["contact"] },
  "GET diagnostics": { about: checks },
  "PROBE info": { about: ["check"], effect: "misses", isForAll: true },
  "LOCATION info": { about: ["check"], effect: "misses", isForAll: true, missing: 400 },
  "GET maintenance": { about: ["maintenance"] },
  "POST maintenance": { about: ["maintenance"], effect: "creates", sends: plannedMaintenance },
  "PUT maintenance": { about: ["maintenance"], sends: changedName },
  "DELETE maintenance": { about: ["maintenance"] },
  "GET notificationprofiles": { about: ["profile"] },
  "POST notificationprofiles": { about: ["profile"], effect: "creates", sends: changedName },
  "PUT notificationprofiles": { about: ["profile"], sends: changedName },
  "DELETE notificationprofiles": { about: ["profile"] },
  "GET notifications": { about: ["push"], missing: 200 },
  "GET results": { about: checks },
  "UPTIME results": { about: checks },
  "CURRENT results": { about: checks, effect: "lists" },
  "EVENTS results": { about: checks },
  "GET schedules": { about: ["schedule"] },
  "POST schedules": { about: ["schedule"], effect: "creates", sends: week },
  "PUT schedules": { about: ["schedule"], effect: "creates", sends: week },
  "DELETE schedules": { about: ["schedule"] },
};

/** Asks for an operation on an id, in the path or else as a parameter, or on none. */
export function callOperation(
  site: FuzzServer,
  asker: Caller,
  {
    operation,
    id = "",
    sends = operations[operation]?.sends,
    isInPath = true,
  }: {
    readonly operation: string;
    readonly id?: string;
    readonly sends?: object | undefined;
    readonly isInPath?: boolean;
  },
): Promise<TestResponse> {
  const [action = "", resource = ""] = operation.split(" ");
  const method = methods.find((each) => each === action);
  const path = `${resource}${method === undefined ? `/${action.toLowerCase()}` : ""}`;
  const account = asker.account && site.records()[asker.account].account;
  return site.inject({
    method: method ?? "GET",
    url: `/api/1/${path}${isInPath ? `/${encodeURIComponent(id)}` : ""}`,
    headers: { "content-type": "application/json" },
    payload: {
      ...sends,
      ...(account === undefined ? {} : { customerid: account }),
      ...(isInPath ? {} : { id }),
      ...tokenOf(site, asker),
    },
  });
}

function tokenOf({ cast }: FuzzServer, { token }: Caller): object {
  if (token === "none") return {};
  return {
    token: token === "unknown" ? "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE" : cast[token].token,
  };
}

/** An id of the same shape that nobody has. */
export function unknownIdLike(id: string): string {
  return `${id.slice(0, -1)}${id.endsWith("X") ? "Y" : "X"}`;
}

/** All of an answer that may tell one from another, but for the id that was asked for. */
export function visibleParts({ status, text, headers }: TestResponse, id: string): unknown {
  const { date: _, ...others } = headers;
  return { status, headers: others, text: text.replaceAll(id, "the id") };
}

function assertHides(site: FuzzServer, answer: TestResponse, scope: string): void {
  const marks = names.filter((name) => name !== scope).map((name) => markerOf(site.cast[name]));
  const shown = marks.filter((mark) => answer.text.includes(mark));
  assert.deepEqual(shown, [], answer.text);
}

/** All that is stored of everybody but those. */
export function rowsOutside(
  { cast }: FuzzServer,
  reach: readonly string[],
): readonly (readonly string[])[] {
  return names
    .filter((name) => !reach.includes(name))
    .map((name) => storedRows(cast.store.directory, cast[name].account.id));
}

const cells = Object.entries(operations).flatMap(([operation, { about }]) =>
  about.flatMap((kind) => names.map((owner) => ({ operation, kind, owner }))),
);

/** Asks for every operation on a record of everybody, and on one that nobody has; and for every list. */
export async function assertIsolated(
  site: FuzzServer,
  asker: Caller,
  mode: CompatibilityMode,
): Promise<void> {
  const meant = scopeOf(asker);
  const before = rowsOutside(site, [meant]);
  for (const { operation, kind, owner } of cells) {
    const { effect, isForAll, missing = 404 } = operations[operation] ?? {};
    const scope = isForAll ? scopeOf({ ...asker, account: undefined }) : meant;
    const refusal = refusals[scope];
    const cell = `${operation} of ${owner}'s ${kind}`;
    const id = site.records()[owner][kind];
    const other = unknownIdLike(id);
    const answer = await callOperation(site, asker, { operation, id });
    const absent = await callOperation(site, asker, { operation, id: other });
    assertHides(site, answer, scope);
    const { error } = answer.body;
    if (refusal !== undefined) {
      assert.deepEqual([answer.status, answer.body], [403, { error: refusal }], cell);
      assert.deepEqual(visibleParts(answer, id), visibleParts(absent, other), cell);
    } else if (effect === "creates" || effect === "lists") {
      assert.deepEqual([answer.status, error], [200, undefined], cell);
      // Who takes a name has a record of that name, which is in the way of what follows.
      for (const name of kind !== "schedule" ? [] : owner === scope ? [other] : [id, other])
        await callOperation(site, asker, { operation: "DELETE schedules", id: name });
    } else if (owner === scope && effect === undefined) {
      assert.equal(error, undefined, cell);
      assert.notDeepEqual(visibleParts(answer, id), visibleParts(absent, other), cell);
      await site.recreateRecords();
    } else {
      assert.deepEqual(visibleParts(answer, id), visibleParts(absent, other), cell);
      if (mode === "standard") assert.equal(answer.status, missing, cell);
    }
  }
  for (const operation of Object.keys(operations).filter((each) => each.startsWith("GET ")))
    assertHides(site, await callOperation(site, asker, { operation }), meant);
  assert.deepEqual(rowsOutside(site, [meant]), before);
}
