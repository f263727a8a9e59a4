import assert from "node:assert/strict";

import type { CompatibilityMode } from "../src/domain/account/token.ts";
import type { Resource } from "../src/api/operation.ts";
import { createResources } from "../src/api/registry.ts";
import { createApiFixture, type TestResponse } from "./api-fixture.ts";
import { idOf, kindsOf, markerOf } from "./stores/account-fixture.ts";
import { names, type Name } from "./fuzz/callers.ts";
import { storedRows } from "./fuzz/stored-rows.ts";
import type { FuzzServer } from "./fuzz/fuzz-server.ts";

/** Alice has a primary account, Bob's is hers, Carol is a stranger. */
const parents: Readonly<Partial<Record<Name, Name>>> = { bob: "alice" };

/** The account whose token is sent, and the account that is named. */
export interface Caller {
  readonly token: Name | "unknown" | "none";
  readonly account: Name | undefined;
}

export const callers = ([...names, "unknown", "none"] as const).flatMap((token) =>
  [undefined, ...names].map((account): Caller => ({ token, account })),
);

/** The rule: the account that a request is about, or why it is refused. */
export function scopeOf({
  token,
  account,
}: Caller): Name | "no token" | "unknown token" | "not yours" {
  if (token === "none") return "no token";
  if (token === "unknown") return "unknown token";
  const scope = account ?? token;
  return scope === token || parents[scope] === token ? scope : "not yours";
}

export function titleOf({ token, account }: Caller): string {
  return `${token} for ${account ?? "the token's own"}`;
}

export const refusals: Readonly<Record<string, string>> = {
  "no token":
    "token: required, as a parameter, as Authorization: Bearer, or as the user name of Basic",
  "unknown token": "Token not found",
  "not yours": "You do not have the correct permissions for that account.",
};

export interface IsolatedOperation {
  /** The kinds of records whose ids are sent. */
  readonly about: readonly string[];
  readonly sends: object;
  /** By default it finds the record. Otherwise it creates or lists others regardless of the ID, or has no records of the account. */
  readonly effect: "finds" | "creates" | "lists" | "misses";
  /** Whether clients choose the ids, so that creating a record can take the id of another one. */
  readonly isNamed: boolean;
  /** It takes no account, and returns the same to all. */
  readonly isForAll: boolean;
  /** The status for a missing record, in standard mode. */
  readonly missing: number;
}

const methods = ["GET", "POST", "PUT", "DELETE"] as const;
export const checks: readonly string[] = kindsOf("checks");

/** The statuses for a missing record that are not 404. */
const statusesOfMissing: Readonly<Record<string, number>> = {
  "GET notifications": 200,
  "LOCATION info": 400,
  "FORMS info": 200,
};

/** Bodies of operations without an example. The name of the token's account replaces a missing `by`, even if that is the parent. */
const othersSent: Readonly<Record<string, object>> = {
  "ACKNOWLEDGE checks": { by: "Ann" },
};

/** Every operation whose records belong to accounts, as its resource declares it; the accounts themselves have tests of their own. */
export function isolatedOperations(
  resources: readonly Resource[],
): Readonly<Record<string, IsolatedOperation>> {
  return Object.fromEntries(
    resources
      .filter(({ ids }) => ids !== "account")
      .flatMap((resource) =>
        Object.entries(resource.operations).map(([action, operation]) => {
          const name = `${action} ${resource.name}`;
          const isWrite = action === "POST" || action === "PUT";
          assert.ok(!isWrite || operation.example, `no example of ${name}`);
          const isForAll = !("customerid" in operation.input.shape);
          const isolated: IsolatedOperation = {
            about: kindsOf(resource.name).filter((kind) => !isRefused(name, kind)),
            sends: operation.example ?? othersSent[name] ?? {},
            effect: effectOf(resource, action),
            isNamed: resource.ids === "name",
            isForAll,
            missing: statusesOfMissing[name] ?? 404,
          };
          return [name, isolated];
        }),
      ),
  );
}

/** No probe runs a check that waits for heartbeats. */
function isRefused(operation: string, kind: string): boolean {
  return operation === "RUN checks" && kind === "push";
}

function effectOf({ ids, operations }: Resource, action: string): IsolatedOperation["effect"] {
  const { shape = {} } = operations[action]?.input ?? {};
  if (!("customerid" in shape)) return "misses";
  const isWrite = action === "POST" || action === "PUT";
  if (isWrite && (ids === "name" || !("id" in shape))) return "creates";
  return "id" in shape ? "finds" : "lists";
}

await using fixture = await createApiFixture();
export const operations = isolatedOperations(createResources(fixture.deps));

/** Calls an operation on an id, in the path or as a parameter, or on none. */
export function callOperation(
  site: FuzzServer,
  caller: Caller,
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
  const account = caller.account && site.records()[caller.account].account;
  return site.inject({
    method: method ?? "GET",
    url: `/api/1/${path}${isInPath ? `/${encodeURIComponent(id)}` : ""}`,
    headers: { "content-type": "application/json" },
    payload: {
      ...sends,
      ...(account === undefined ? {} : { customerid: account }),
      ...(isInPath ? {} : { id }),
      ...tokenOf(site, caller),
    },
  });
}

function tokenOf({ cast }: FuzzServer, { token }: Caller): object {
  if (token === "none") return {};
  return {
    token: token === "unknown" ? "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE" : cast[token].token,
  };
}

/** An id of the same form that no record has. */
export function unknownIdLike(id: string): string {
  return `${id.slice(0, -1)}${id.endsWith("X") ? "Y" : "X"}`;
}

/** All of a response that could reveal whether a record exists, without the requested id. */
export function visibleParts({ status, text, headers }: TestResponse, id: string): unknown {
  const { date: _, ...others } = headers;
  const [head, body] = [JSON.stringify(others), text].map((each) => each.replaceAll(id, "the id"));
  return { status, head, body };
}

function assertHides(site: FuzzServer, answer: TestResponse, scope: string): void {
  const marks = names.filter((name) => name !== scope).map((name) => markerOf(site.cast[name]));
  const shown = marks.filter((mark) => answer.text.includes(mark));
  assert.deepEqual(shown, [], answer.text);
}

/** All rows of the accounts other than these. */
export function rowsOutside(
  { cast }: FuzzServer,
  reach: readonly string[],
): readonly (readonly string[])[] {
  return names
    .filter((name) => !reach.includes(name))
    .map((name) => storedRows(cast.store.directory, cast[name].account.id));
}

function unknownOperation(name: string): never {
  throw new Error(`no such operation ${JSON.stringify(name)}`);
}

const cells = Object.entries(operations).flatMap(([operation, { about }]) =>
  about.flatMap((kind) => names.map((owner) => ({ operation, kind, owner }))),
);

/** Calls every operation on a record of every account, and on one that does not exist; and every list. */
export async function assertIsolated(
  site: FuzzServer,
  caller: Caller,
  mode: CompatibilityMode,
): Promise<void> {
  const meant = scopeOf(caller);
  const before = rowsOutside(site, [meant]);
  for (const { operation, kind, owner } of cells) {
    const { effect, isForAll, isNamed, missing } =
      operations[operation] ?? unknownOperation(operation);
    const scope = isForAll ? scopeOf({ ...caller, account: undefined }) : meant;
    const refusal = refusals[scope];
    const cell = `${operation} of ${owner}'s ${kind}`;
    const id = idOf(site.records()[owner], kind);
    const other = unknownIdLike(id);
    const answer = await callOperation(site, caller, { operation, id });
    const absent = await callOperation(site, caller, { operation, id: other });
    assertHides(site, answer, scope);
    const { error } = answer.body;
    if (refusal !== undefined) {
      assert.deepEqual([answer.status, answer.body], [403, { error: refusal }], cell);
      assert.deepEqual(visibleParts(answer, id), visibleParts(absent, other), cell);
    } else if (effect === "creates" || effect === "lists") {
      assert.deepEqual([answer.status, error], [200, undefined], cell);
      // Taking a name creates a record of that name, which would block the next steps.
      for (const name of !isNamed ? [] : owner === scope ? [other] : [id, other])
        await callOperation(site, caller, {
          operation: operation.replace(/^\w+/, "DELETE"),
          id: name,
        });
    } else if (owner === scope && effect === "finds") {
      assert.equal(error, undefined, cell);
      assert.notDeepEqual(visibleParts(answer, id), visibleParts(absent, other), cell);
      if (!operation.startsWith("GET ")) await site.recreateRecords();
    } else {
      assert.deepEqual(visibleParts(answer, id), visibleParts(absent, other), cell);
      if (mode === "standard") assert.equal(answer.status, missing, cell);
    }
  }
  for (const operation of Object.keys(operations).filter((each) => each.startsWith("GET ")))
    assertHides(site, await callOperation(site, caller, { operation }), meant);
  assert.deepEqual(rowsOutside(site, [meant]), before);
}
