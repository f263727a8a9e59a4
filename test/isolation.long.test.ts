import assert from "node:assert/strict";
import { test } from "node:test";

import { createResources } from "../src/api/registry.ts";
import { calendarPath } from "../src/channels/calendar-links.ts";
import { unsubscribePath } from "../src/channels/mail/unsubscribe.ts";
import { Forbidden, NotFound } from "../src/kit/errors.ts";
import type { Store } from "../src/store/store.ts";
import { pages } from "../src/web/pages.ts";
import {
  createApiFixture,
  testResponse,
  plainCheck,
  type TestResponse,
  type ApiFixture,
} from "./api-fixture.ts";
import { markerOf, recordKinds, type RecordKind } from "./stores/account-fixture.ts";
import { names, type Records } from "./fuzz/callers.ts";
import { createFuzzServer } from "./fuzz/fuzz-server.ts";
import {
  callers,
  callOperation,
  assertIsolated,
  checks,
  unknownIdLike,
  isolatedOperations,
  operations,
  refusals,
  scopeOf,
  rowsOutside,
  titleOf,
  visibleParts,
} from "./isolation.ts";

/** Pairs of a caller and an account to which the rule grants access. */
const allowed = callers.flatMap((caller) => {
  const scope = names.find((name) => name === scopeOf(caller));
  return scope === undefined ? [] : [{ caller, scope }];
});

const carol = { token: "carol", account: undefined } as const;
const aliceForBob = { token: "alice", account: "bob" } as const;

const references: readonly {
  readonly resource: string;
  /** Own record that is changed. */
  readonly own: RecordKind;
  readonly kinds: readonly RecordKind[];
  readonly sends: (id: string, own: Records) => object;
  readonly isOnlyChanged?: true;
  /** In legacy mode what is not there is kept as sent, with a warning; otherwise it is refused in both. */
  readonly isKept?: true;
}[] = [
  {
    resource: "contactgroups",
    own: "group",
    kinds: ["address", "contact"],
    sends: (id) => ({ members: [id] }),
    isKept: true,
  },
  {
    resource: "notificationprofiles",
    own: "profile",
    kinds: ["address", "contact", "group"],
    sends: (id) => ({ notifications: [{ [id]: "All" }] }),
    isKept: true,
  },
  {
    resource: "notificationprofiles",
    own: "profile",
    kinds: ["schedule"],
    sends: (id, { contact }) => ({ notifications: [{ [contact]: id }] }),
    isKept: true,
  },
  {
    resource: "checks",
    own: "check",
    kinds: ["address", "contact", "group", "profile"],
    sends: (id) => ({ ...plainCheck, notifications: [{ [id]: "All" }] }),
    isKept: true,
  },
  {
    resource: "checks",
    own: "check",
    kinds: ["schedule"],
    sends: (id, { contact }) => ({ ...plainCheck, notifications: [{ [contact]: id }] }),
    isKept: true,
  },
  {
    resource: "checks",
    own: "check",
    kinds: ["push"],
    sends: (id) => ({ ...plainCheck, dep: id }),
  },
  {
    resource: "maintenance",
    own: "maintenance",
    kinds: ["check", "push"],
    sends: (id) => ({ ...operations["POST maintenance"]?.sends, checklist: [id] }),
  },
  {
    resource: "contacts",
    own: "contact",
    kinds: ["address"],
    sends: (id) => ({ addresses: { [id]: {} } }),
    isOnlyChanged: true,
  },
  {
    resource: "accounts",
    own: "account",
    kinds: ["address", "contact", "group", "profile"],
    sends: (id) => ({ defaultnotifications: [{ [id]: "All" }] }),
    isOnlyChanged: true,
    isKept: true,
  },
];

/** Error for an invalid reference, in either mode. */
const objection = /no such [^;]*/;

/** All of a response but the requested id, and what is new with every record and every write. */
function comparable(answer: TestResponse, id: string): unknown {
  const text = answer.text.replaceAll(
    /"(_id|_rev|uuid|queue|created|modified|change)":("[^"]*"|\d+)/g,
    '"$1":""',
  );
  return visibleParts({ ...answer, text }, id);
}

for (const mode of ["standard", "legacy"] as const) {
  test(`in ${mode} mode a record is found in the account that is meant, and everywhere else it is as if it were not there`, async (context) => {
    await using site = await createFuzzServer({ mode });
    for (const caller of callers)
      await context.test(titleOf(caller), () => assertIsolated(site, caller, mode));
  });

  test(`in ${mode} mode no operation takes the id of another kind of record for one of its own`, async () => {
    await using site = await createFuzzServer({ mode });
    const finding = Object.entries(operations).filter(([, { effect }]) => effect === "finds");
    for (const caller of [carol, aliceForBob]) {
      for (const [operation, { about, missing }] of finding) {
        for (const kind of recordKinds.filter(
          (each) => !about.includes(each) && !checks.includes(each),
        )) {
          for (const owner of names) {
            const id = site.records()[owner][kind];
            const other = unknownIdLike(id);
            const answer = await callOperation(site, caller, { operation, id, isInPath: false });
            const absent = await callOperation(site, caller, {
              operation,
              id: other,
              isInPath: false,
            });
            const cell = `${titleOf(caller)}: ${operation} of ${owner}'s ${kind}`;
            assert.deepEqual(visibleParts(answer, id), visibleParts(absent, other), cell);
            if (mode === "standard") assert.equal(answer.status, missing, cell);
          }
        }
      }
    }
  });

  test(`in ${mode} mode a record may name others of its own account, and those of another account are as if they were not there`, async () => {
    await using site = await createFuzzServer({ mode });
    for (const { caller, scope } of allowed) {
      const before = rowsOutside(site, [scope]);
      for (const { resource, own, kinds, sends, isOnlyChanged, isKept } of references) {
        const isWarned = mode === "legacy" && isKept;
        for (const verb of isOnlyChanged ? ["PUT"] : ["POST", "PUT"]) {
          for (const [kind, owner] of kinds.flatMap((kind) =>
            names.map((name) => [kind, name] as const),
          )) {
            const records = site.records();
            const id = records[owner][kind];
            const write = (named: string): Promise<TestResponse> =>
              callOperation(site, caller, {
                operation: `${verb} ${resource}`,
                id: records[scope][own],
                sends: sends(named, records[scope]),
              });
            const cell = `${titleOf(caller)}: ${verb} ${resource} with ${owner}'s ${kind}`;
            const absent = await write(unknownIdLike(id));
            const { error, warning } = absent.body;
            assert.equal(absent.status, mode === "standard" ? 400 : 200, cell);
            assert.match(isWarned ? warning : error, objection, cell);
            if (isWarned) assert.match(warning, /no such [^;]*, kept as sent/, cell);
            const answer = await write(id);
            if (owner === scope) {
              assert.equal(answer.body.error, undefined, cell);
              assert.doesNotMatch(answer.body.warning ?? "", objection, cell);
            } else
              assert.deepEqual(comparable(answer, id), comparable(absent, unknownIdLike(id)), cell);
          }
        }
      }
      assert.deepEqual(rowsOutside(site, [scope]), before);
    }
  });
}

for (const mode of ["standard", "legacy"] as const) {
  // guard: accounts of others
  test(`in ${mode} mode an account is its own's and its parent's, and to all others as if it were not there`, async () => {
    await using site = await createFuzzServer({ mode });
    for (const caller of callers) {
      const own = names.filter((name) => scopeOf({ ...caller, account: name }) === name);
      const before = rowsOutside(site, own);
      for (const owner of names) {
        const { account: id } = site.records()[owner];
        const refusal = refusals[scopeOf({ ...caller, account: owner })];
        for (const action of ["GET", "PUT", "DELETE"]) {
          const ask = (account: string): Promise<TestResponse> =>
            callOperation(site, caller, {
              operation: `${action} accounts`,
              id: account,
              sends: { name: "changed" },
            });
          const cell = `${titleOf(caller)}: ${action} ${owner}'s account`;
          const answer = await ask(id);
          const absent = await ask(unknownIdLike(id));
          if (refusal !== undefined) {
            assert.deepEqual([answer.status, answer.body], [403, { error: refusal }], cell);
            assert.deepEqual(
              visibleParts(answer, id),
              visibleParts(absent, unknownIdLike(id)),
              cell,
            );
          } else if (action === "DELETE" && owner === caller.token) {
            assert.equal(answer.body.error, "your own account cannot be deleted", cell);
          } else {
            assert.equal(answer.body.error, undefined, cell);
          }
        }
        await site.recreateRecords();
      }
      assert.deepEqual(rowsOutside(site, own), before);
    }
  });
}

test("an account that is made is the token's own, whatever account is named", async () => {
  await using site = await createFuzzServer();
  const sends = {
    name: "new",
    contactname: "new",
    email: "new@example.com",
    timezone: "0",
    location: "eur",
  };
  for (const { caller } of allowed) {
    for (const named of names) {
      const id = site.records()[named].account;
      for (const isInPath of [true, false]) {
        const operation = { operation: "POST accounts", id, sends, isInPath };
        const { status, body } = await callOperation(site, caller, operation);
        const own = names.find((name) => name === caller.token);
        if (own === undefined || own === "bob") assert.equal(status, 403);
        else assert.deepEqual([status, body.parent], [200, site.records()[own].account]);
      }
    }
  }
});

test("a heartbeat is taken for the check whose token it has, and all others are as if they were not there", async () => {
  await using site = await createFuzzServer();
  const records = site.records();
  const send = async (id: string, checktoken: string): Promise<TestResponse> => {
    const query = new URLSearchParams({ id, checktoken }).toString();
    const url = `http://127.0.0.1:${site.port}/v1?${query}`;
    const response = await fetch(url, { method: "POST", headers: { connection: "close" } });
    return testResponse({
      statusCode: response.status,
      body: await response.text(),
      headers: response.headers,
    });
  };
  const unknown = { error: "No check found with that ID and checktoken" };
  const before = rowsOutside(site, []);
  for (const owner of names) {
    const { push, check, checktoken, token } = records[owner];
    const strangers = names.filter((name) => name !== owner);
    for (const heartbeat of [
      ...strangers.map((name) => ({ id: push, secret: records[name].checktoken })),
      { id: push, secret: token },
      { id: check, secret: checktoken },
      { id: unknownIdLike(push), secret: checktoken },
    ]) {
      const { status, body } = await send(heartbeat.id, heartbeat.secret);
      assert.deepEqual([status, body], [403, unknown]);
    }
    const { body } = await site.inject({ url: `/api/1/checks?token=${checktoken}` });
    assert.deepEqual(body, { error: "Token not found" });
  }
  assert.deepEqual(rowsOutside(site, []), before);
  for (const owner of names) {
    const others = rowsOutside(site, [owner]);
    const { status } = await send(records[owner].push, records[owner].checktoken);
    assert.equal(status, 200);
    assert.deepEqual(rowsOutside(site, [owner]), others);
  }
});

/** Paths outside the API. */
const openPaths = [
  ...pages.map(({ path }) => path),
  "/healthz",
  "/readyz",
  "/metrics",
  "/v1",
  "/api/1/openapi.json",
  "/nothing",
  unsubscribePath,
  calendarPath,
];

test("whatever is answered without a token says nothing of any account", async () => {
  await using site = await createFuzzServer();
  const known = names.flatMap((name) => [
    markerOf(site.cast[name]),
    ...Object.values(site.records()[name]).filter((id) => typeof id === "string"),
  ]);
  const operationPaths = Object.keys(operations).map((name) => `/api/1/${name.split(" ")[1]}`);
  for (const url of [...openPaths, ...new Set(operationPaths)]) {
    for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await fetch(`http://127.0.0.1:${site.port}${url}`, { method });
      const said = `${JSON.stringify([...answer.headers])} ${await answer.text()}`;
      assert.deepEqual(
        known.filter((word) => said.includes(word)),
        [],
        `${method} ${url}`,
      );
    }
  }
});

test("every operation of every resource but accounts is held to the rule, and a write without an example is found", async () => {
  await using cast = await createApiFixture();
  const resources = createResources(cast.deps);
  const all = resources
    .filter(({ name }) => name !== "accounts")
    .flatMap(({ name, operations }) => Object.keys(operations).map((each) => `${each} ${name}`));
  assert.deepEqual(Object.keys(operations).toSorted(), all.toSorted());
  const planted = resources.map((resource) => {
    const { POST, ...others } = resource.operations;
    if (POST === undefined) return resource;
    const { example: _, ...withoutExample } = POST;
    return { ...resource, operations: { ...others, POST: withoutExample } };
  });
  assert.throws(() => isolatedOperations(planted), /no example of POST/);
});

type Finds = Store["contacts"]["find"];

const planted: readonly {
  readonly name: string;
  readonly plant: (cast: ApiFixture) => Store;
  readonly found: RegExp;
}[] = [
  {
    name: "a check that anybody finds",
    plant: ({ store }) => ({
      ...store,
      checks: { ...store.checks, find: (_, id) => store.checks.findById(id) },
    }),
    found: /alicesown/,
  },
  {
    name: "a list of what is another's",
    plant: ({ store, alice }) => ({
      ...store,
      states: {
        ...store.states,
        listCurrentEvents: () => store.states.listCurrentEvents(alice.account.id),
      },
    }),
    found: /alicesown/,
  },
  {
    name: "a refusal that tells what is there",
    plant: ({ store, alice }) => {
      const find: Finds = async (account, id) => {
        if (await store.contacts.find(alice.account.id, id)) throw new Forbidden("not yours");
        return store.contacts.find(account, id);
      };
      return { ...store, contacts: { ...store.contacts, find } };
    },
    found: /GET contacts of alice's contact/,
  },
  {
    name: "a sentence that tells what is there",
    plant: ({ store, alice }) => {
      const find: Finds = async (account, id) => {
        if (await store.contacts.find(alice.account.id, id)) throw new NotFound("not here");
        return store.contacts.find(account, id);
      };
      return { ...store, contacts: { ...store.contacts, find } };
    },
    found: /GET contacts of alice's contact/,
  },
  {
    name: "a record that is written elsewhere",
    plant: ({ store, alice }) => ({
      ...store,
      write: (unit) =>
        store.write((tx) => {
          const insert: typeof tx.groups.insert = (group) =>
            tx.groups.insert({ ...group, accountId: alice.account.id });
          return unit({ ...tx, groups: { ...tx.groups, insert } });
        }),
    }),
    found: /On call/,
  },
];

for (const { name, plant, found } of planted) {
  test(`${name} is found`, async () => {
    await using site = await createFuzzServer({ plant });
    await assert.rejects(assertIsolated(site, carol, "standard"), found);
  });
}
