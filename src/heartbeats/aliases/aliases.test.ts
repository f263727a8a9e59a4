import assert from "node:assert/strict";
import { test } from "node:test";

import { aPushCheck, pushHarness, token } from "../../../test/harnesses/push-harness.ts";
import { unlimited } from "../../../test/harnesses/unlimited.ts";
import { alice, anAccount, minute } from "../../../test/record-builders.ts";
import {
  aliasHint,
  aliasOf,
  aliasText,
  withToken,
} from "../../domain/heartbeat/heartbeat-alias.ts";
import { systemClock } from "../../kit/clock.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { Unavailable } from "../../kit/errors.ts";
import { createMinuteBudget } from "../../kit/http/minute-budget.ts";

const uuid = "31365bce-8da9-4729-8ff3-aaa71d56b712";
const pingKey = "fqOOd6-F4MMNuCEnzTU01w";

async function aliasSite(
  path: string,
  bearer?: string,
  limits?: Parameters<typeof pushHarness>[2],
) {
  const site = await pushHarness({}, undefined, limits);
  const alias = withToken(aliasOf(path) ?? assert.fail(path), bearer);
  await site.store.write(({ heartbeatAliases }) =>
    heartbeatAliases.insert({
      digest: hashToken(aliasText(alias)),
      accountId: alice.id,
      checkNo: site.no,
      system: alias.system,
      hint: aliasHint(alias),
      createdAt: 0,
    }),
  );
  const headers: Record<string, string> =
    bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  return Object.assign(site, {
    get: (url: string, method = "GET") => site.send(undefined, { method, path: url, headers }),
  });
}

type Finds = readonly [passed: boolean, text: string, message: string, runtimeMs: number];

interface Line {
  readonly path: string;
  readonly method?: string;
  readonly status?: number;
  readonly body: string;
  /** Undefined where no result is stored. */
  readonly finds?: Finds;
}

const fine: Finds = [true, "Success", "Heartbeat received", 0];
const bad: Finds = [false, "Failure", "The sender reported a failure", 0];

const kuma = "/api/push/tIgDC7WDq2";
const gatus = "/api/v1/endpoints/core_backup/external";
const cronitor = "/p/0123456789abcdef0123456789abcdef/nightly-backup";
const betterStack = "/api/v1/heartbeat/kJ3mZq8pXw2VtB5nR7sY1cDf";

const systems: readonly {
  readonly name: string;
  readonly path: string;
  readonly bearer?: string;
  readonly lines: readonly Line[];
}[] = [
  {
    name: "uptime-kuma",
    path: kuma,
    lines: [
      {
        path: `${kuma}?status=up&msg=OK&ping=`,
        body: '{"ok":true}',
        finds: [true, "Success", "OK", 0],
      },
      {
        path: `${kuma}?status=down&msg=disk+full&ping=12.5`,
        body: '{"ok":true}',
        finds: [false, "Failure", "disk full", 13],
      },
      { path: kuma, method: "DELETE", body: '{"ok":true}', finds: fine },
      {
        path: "/api/push/tIgDC7WDq3",
        status: 404,
        body: '{"ok":false,"msg":"Monitor not found or not active."}',
      },
    ],
  },
  {
    name: "healthchecks by UUID",
    path: `/ping/${uuid}`,
    lines: [
      { path: `/ping/${uuid}`, body: "OK", finds: fine },
      { path: `/${uuid}/0`, body: "OK", finds: fine },
      { path: `/${uuid}/fail`, body: "OK", finds: bad },
      { path: `/ping/${uuid}/3`, body: "OK", finds: [false, "Exit 3", "The exit code was 3", 0] },
      { path: `/ping/${uuid}/start`, body: "OK" },
      { path: `/ping/${uuid}/log`, body: "OK" },
      {
        path: `/ping/${uuid}/256`,
        status: 400,
        body: "exit code: must be 0 to 255, not 256",
      },
      { path: `/ping/${uuid.replace("3", "4")}`, status: 404, body: "not found" },
    ],
  },
  {
    name: "healthchecks by slug",
    path: `/ping/${pingKey}/nightly-backup`,
    lines: [
      { path: `/ping/${pingKey}/nightly-backup`, body: "OK", finds: fine },
      { path: `/${pingKey}/nightly-backup/fail`, body: "OK", finds: bad },
      { path: `/ping/${pingKey}/other`, status: 404, body: "not found" },
    ],
  },
  {
    name: "gatus",
    path: gatus,
    bearer: "potato",
    lines: [
      {
        path: `${gatus}?success=true&duration=1m1.5s`,
        body: "",
        finds: [true, "Success", "Heartbeat received", 61_500],
      },
      {
        path: `${gatus}?success=false&error=no+space`,
        body: "",
        finds: [false, "Failure", "no space", 0],
      },
      { path: gatus, status: 400, body: "success: must be true or false" },
      {
        path: gatus.replace("backup", "other") + "?success=true",
        status: 404,
        body: "No check found with that ID and checktoken",
      },
    ],
  },
  {
    name: "Cronitor",
    path: cronitor,
    lines: [
      { path: `${cronitor}?state=run`, body: "OK" },
      {
        path: `${cronitor}?state=complete`,
        body: "OK",
        finds: [true, "Success", "Heartbeat received", minute],
      },
      {
        path: `${cronitor}?state=fail&message=oops`,
        body: "OK",
        finds: [false, "Failure", "oops", 0],
      },
    ],
  },
  {
    name: "Better Stack",
    path: betterStack,
    lines: [
      { path: betterStack, body: "OK", finds: fine },
      { path: `${betterStack}/fail`, body: "OK", finds: bad },
      { path: `${betterStack}/7`, body: "OK", finds: [false, "Exit 7", "The exit code was 7", 0] },
    ],
  },
  {
    name: "Dead Man's Snitch",
    path: "/c2354d53d2",
    lines: [
      { path: "/c2354d53d2?m=done", status: 202, body: "OK", finds: [true, "Success", "done", 0] },
    ],
  },
  {
    name: "Statping",
    path: "/checkin/xk1Ls0d",
    lines: [{ path: "/checkin/xk1Ls0d", body: "OK", finds: fine }],
  },
  {
    name: "OneUptime",
    path: `/heartbeat/${uuid}`,
    lines: [{ path: `/heartbeat/${uuid}`, body: "OK", finds: fine }],
  },
  {
    name: "UptimeRobot",
    path: "/m794222222-9f8f5e1ae1f9d5c3b2a1",
    lines: [{ path: "/m794222222-9f8f5e1ae1f9d5c3b2a1", body: "OK", finds: fine }],
  },
];

for (const { name, path, bearer, lines } of systems)
  test(`the old addresses of ${name} are heartbeats, with the answers that their callers know`, async () => {
    await using site = await aliasSite(path, bearer);
    for (const line of lines) {
      const before = (await site.results()).length;
      const answer = await site.get(line.path, line.method);
      assert.deepEqual(answer, { status: line.status ?? 200, body: line.body }, line.path);
      const found = (await site.results()).slice(before);
      assert.deepEqual(
        found.map(({ passed, text, message, runtimeMs }) => [passed, text, message, runtimeMs]),
        line.finds === undefined ? [] : [line.finds],
        line.path,
      );
      await site.clock.advance(minute);
    }
  });

test("a gatus token that is another's is refused", async () => {
  await using site = await aliasSite(gatus, "potato");
  const headers = { authorization: "Bearer tomato" };
  const answer = await site.send(undefined, { path: `${gatus}?success=true`, headers });
  assert.equal(answer.status, 404);
  assert.deepEqual(await site.results(), []);
});

test("a monitor that is paused reads to callers of uptime-kuma as one that is not there", async () => {
  await using site = await aliasSite(kuma);
  await site.put({ enabled: false });
  assert.equal((await site.get(kuma)).status, 404);
});

type Site = Awaited<ReturnType<typeof aliasSite>>;

/** Has a check of another account hold the address since then, and gives its number. */
async function addHolder(site: Site, name: string, createdAt: number): Promise<number> {
  const [held] = await site.store.heartbeatAliases.listOf(site.no);
  assert.ok(held);
  const account = anAccount(name);
  return site.store.write(async (tx) => {
    await tx.accounts.insert(account);
    const checktoken = token.replace("1", String(name.length));
    const { no } = await tx.checks.insert({
      ...aPushCheck({ parameters: { checktoken } }),
      id: `${account.id}-PUSHED`,
      accountId: account.id,
    });
    await tx.heartbeatAliases.insert({ ...held, accountId: account.id, checkNo: no, createdAt });
    return no;
  });
}

async function countResults(site: Site, checkNos: readonly number[]): Promise<readonly number[]> {
  const last = await Promise.all(checkNos.map((no) => site.store.results.last(no)));
  return last.map((each) => (each === undefined ? 0 : 1));
}

test("a heartbeat reaches the checks of all accounts that have its address, and is answered as for one", async () => {
  await using alone = await aliasSite(kuma);
  const answers = async (site: Site): Promise<readonly unknown[]> => [
    await site.get(`${kuma}?status=down&msg=disk+full`),
    await site.send("x".repeat(100_000), { path: kuma, headers: { "content-type": "text/plain" } }),
    await site.get(`${kuma}?ping=soon`),
  ];
  await using shared = await aliasSite(kuma);
  const theirs = [await addHolder(shared, "FIRST", -1), await addHolder(shared, "LATER", 1)];
  assert.deepEqual(await answers(shared), await answers(alone));
  assert.equal((await shared.results()).length, 2);
  assert.deepEqual(await countResults(shared, theirs), [1, 1]);
});

test("a check that refuses heartbeats does not answer for the others that have the address", async () => {
  await using site = await aliasSite(kuma);
  const other = await addHolder(site, "OTHER", 1);
  await site.put({ enabled: false });
  assert.deepEqual(await site.get(kuma), { status: 200, body: '{"ok":true}' });
  assert.deepEqual(await countResults(site, [site.no, other]), [0, 1]);
});

// guard: checks of an old address
// guard: old addresses of who came first
test("a heartbeat reaches five checks at most, those that got its address last", async () => {
  await using site = await aliasSite(kuma);
  const before = [];
  for (const name of ["A", "AB", "ABC"]) before.push(await addHolder(site, name, -10));
  const after = [];
  for (const name of ["AAAA", "AAAAB", "AAAAAB"]) after.push(await addHolder(site, name, 10));
  assert.equal((await site.get(kuma)).status, 200);
  assert.deepEqual(await countResults(site, [site.no, ...after]), [1, 1, 1, 1]);
  assert.deepEqual(await countResults(site, before), [0, 0, 1]);
});

test("a body that finds no memory proves that all checks of its address are alive", async () => {
  const full: typeof unlimited.admission = {
    ...unlimited.admission,
    readBody: async () => {
      throw new Unavailable("body: too many at once");
    },
  };
  await using site = await aliasSite(kuma, undefined, { admission: full });
  await addHolder(site, "OTHER", 1);
  const answer = await site.send("x".repeat(100_000), { path: kuma });
  assert.equal(answer.status, 503);
  for (const id of [`${alice.id}-PUSHED`, "OTHER-PUSHED"]) {
    const state = await site.heartbeats.find(id);
    assert.equal(state?.received.lastSeen, site.clock.monotonic(), id);
  }
});

test("a heartbeat to many checks counts once among those of its client", async () => {
  const limitHeartbeats = createMinuteBudget(1, systemClock);
  await using site = await aliasSite(kuma, undefined, { limitHeartbeats });
  const others = [await addHolder(site, "B", 1), await addHolder(site, "C", 2)];
  assert.equal((await site.get(kuma)).status, 200);
  assert.deepEqual(await countResults(site, [site.no, ...others]), [1, 1, 1]);
  assert.equal((await site.get(kuma)).status, 429);
});

const others = [
  "/",
  "/api/1/checks",
  "/checks/202601010000ABCDE-ABCDEFGH",
  "/api/push/short",
  "/api/push/tIgDC7WDq2/more",
  `/${uuid}/stop`,
  `/x/${uuid}`,
  "/ping/short/slug",
  `/ping/${pingKey}/Slug`,
  "/assets/index-0123456789.js",
  "/status/c2354d53d2",
  `/api/push/${"a".repeat(1100)}`,
];

test("what is no address of another system is none of a heartbeat", () => {
  for (const path of others) assert.equal(aliasOf(path), undefined, path);
});
