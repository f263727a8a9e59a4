import assert from "node:assert/strict";

import type { CompatibilityMode } from "../src/api/compatibility.ts";
import { plainCheck } from "./api-cast.ts";
import type { Answer } from "./api-cast.ts";
import { markerOf } from "./belongings.ts";
import type { RecordKind } from "./belongings.ts";
import { names } from "./generated/askers.ts";
import type { Name } from "./generated/askers.ts";
import { rowsOf } from "./generated/rows.ts";
import type { Site } from "./generated/site.ts";

/** Alice has a primary account, Bob's is hers, Carol is a stranger. */
const parents: Readonly<Partial<Record<Name, Name>>> = { bob: "alice" };

/** Whose token is shown, and whose account is named. */
export interface Asker {
  readonly token: Name | "unknown" | "none";
  readonly account: Name | undefined;
}

export const askers = ([...names, "unknown", "none"] as const).flatMap((token) =>
  [undefined, ...names].map((account): Asker => ({ token, account })),
);

/** The one rule: whom a request is about, or why it is refused. */
export function scopeOf({ token, account }: Asker): Name | "no token" | "not yours" {
  if (token === "unknown" || token === "none") return "no token";
  const scope = account ?? token;
  return scope === token || parents[scope] === token ? scope : "not yours";
}

export function titleOf({ token, account }: Asker): string {
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
export const touched = { name: "touched" };

export const planned = { ...touched, duration: 5, cron: "0 2 * * *", checklist: [] };

export const operations: Readonly<Record<string, Operation>> = {
  "GET branding": { about: ["contact"], effect: "lists" },
  "PUT branding": { about: ["contact"], effect: "creates", sends: { downtext: "touched" } },
  "DELETE branding": { about: ["contact"], effect: "lists" },
  "GET checks": { about: checks },
  "POST checks": { about: checks, effect: "creates", sends: plainCheck },
  "PUT checks": { about: checks, sends: { label: "touched" } },
  "DELETE checks": { about: checks },
  "GET contactgroups": { about: ["group"] },
  "POST contactgroups": { about: ["group"], effect: "creates", sends: touched },
  "PUT contactgroups": { about: ["group"], sends: touched },
  "DELETE contactgroups": { about: ["group"] },
  "GET contacts": { about: ["contact"] },
  "POST contacts": { about: ["contact"], effect: "creates", sends: touched },
  "PUT contacts": { about: ["contact"], sends: touched },
  "DELETE contacts": { about: ["contact"] },
  "RESETPASSWORD contacts": { about: ["contact"] },
  "TEST contacts": { about: ["contact"] },
  "GET diagnostics": { about: checks },
  "PROBE info": { about: ["check"], effect: "misses", isForAll: true },
  "LOCATION info": { about: ["check"], effect: "misses", isForAll: true, missing: 400 },
  "GET maintenance": { about: ["maintenance"] },
  "POST maintenance": { about: ["maintenance"], effect: "creates", sends: planned },
  "PUT maintenance": { about: ["maintenance"], sends: touched },
  "DELETE maintenance": { about: ["maintenance"] },
  "GET notificationprofiles": { about: ["profile"] },
  "POST notificationprofiles": { about: ["profile"], effect: "creates", sends: touched },
  "PUT notificationprofiles": { about: ["profile"], sends: touched },
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
export function askFor(
  site: Site,
  asker: Asker,
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
): Promise<Answer> {
  const [action = "", resource = ""] = operation.split(" ");
  const method = methods.find((each) => each === action);
  const path = `${resource}${method === undefined ? `/${action.toLowerCase()}` : ""}`;
  const account = asker.account && site.things()[asker.account].account;
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

function tokenOf({ cast }: Site, { token }: Asker): object {
  if (token === "none") return {};
  return {
    token: token === "unknown" ? "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE" : cast[token].token,
  };
}

/** An id of the same shape that nobody has. */
export function missingLike(id: string): string {
  return `${id.slice(0, -1)}${id.endsWith("X") ? "Y" : "X"}`;
}

/** All of an answer that may tell one from another, but for the id that was asked for. */
export function toldBy({ status, text, headers }: Answer, id: string): unknown {
  const { date: _, ...others } = headers;
  return { status, headers: others, text: text.replaceAll(id, "the id") };
}

function assertHides(site: Site, answer: Answer, scope: string): void {
  const marks = names.filter((name) => name !== scope).map((name) => markerOf(site.cast[name]));
  const shown = marks.filter((mark) => answer.text.includes(mark));
  assert.deepEqual(shown, [], answer.text);
}

/** All that is stored of everybody but those. */
export function storedBeyond(
  { cast }: Site,
  reach: readonly string[],
): readonly (readonly string[])[] {
  return names
    .filter((name) => !reach.includes(name))
    .map((name) => rowsOf(cast.store.directory, cast[name].account.id));
}

const cells = Object.entries(operations).flatMap(([operation, { about }]) =>
  about.flatMap((kind) => names.map((owner) => ({ operation, kind, owner }))),
);

/** Asks for every operation on a record of everybody, and on one that nobody has; and for every list. */
export async function assertIsolated(
  site: Site,
  asker: Asker,
  mode: CompatibilityMode,
): Promise<void> {
  const meant = scopeOf(asker);
  const before = storedBeyond(site, [meant]);
  for (const { operation, kind, owner } of cells) {
    const { effect, isForAll, missing = 404 } = operations[operation] ?? {};
    const scope = isForAll ? scopeOf({ ...asker, account: undefined }) : meant;
    const refusal = refusals[scope];
    const cell = `${operation} of ${owner}'s ${kind}`;
    const id = site.things()[owner][kind];
    const other = missingLike(id);
    const answer = await askFor(site, asker, { operation, id });
    const absent = await askFor(site, asker, { operation, id: other });
    assertHides(site, answer, scope);
    const { error } = answer.body;
    if (refusal !== undefined) {
      assert.deepEqual([answer.status, answer.body], [403, { error: refusal }], cell);
      assert.deepEqual(toldBy(answer, id), toldBy(absent, other), cell);
    } else if (effect === "creates" || effect === "lists") {
      assert.deepEqual([answer.status, error], [200, undefined], cell);
      // Who takes a name has a record of that name, which is in the way of what follows.
      for (const name of kind !== "schedule" ? [] : owner === scope ? [other] : [id, other])
        await askFor(site, asker, { operation: "DELETE schedules", id: name });
    } else if (owner === scope && effect === undefined) {
      assert.equal(error, undefined, cell);
      assert.notDeepEqual(toldBy(answer, id), toldBy(absent, other), cell);
      await site.restock();
    } else {
      assert.deepEqual(toldBy(answer, id), toldBy(absent, other), cell);
      if (mode === "standard") assert.equal(answer.status, missing, cell);
    }
  }
  for (const operation of Object.keys(operations).filter((each) => each.startsWith("GET ")))
    assertHides(site, await askFor(site, asker, { operation }), meant);
  assert.deepEqual(storedBeyond(site, [meant]), before);
}
