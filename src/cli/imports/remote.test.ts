import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { createApiFixture, type ApiFixture } from "../../../test/api-fixture.ts";
import { commandContext, commandLine, type CommandLine } from "../../../test/command-line.ts";
import { stepUntil } from "../../../test/time/wait-for.ts";

const page = "https://www.example.com/";
const secret = "the-secret-token";
const environment = { THEIRS: secret };

interface Request {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answers = (request: Request) => Response | object | undefined;

/** The command line of Alice, from where another service answers at https://there.example. */
function commandLineWith(cast: ApiFixture, answers: Answers) {
  const requests: Request[] = [];
  const { context } = commandContext(cast, cast.alice.token);
  const cli = commandLine(cast, cast.alice.token, {
    environment,
    async fetch(url, init) {
      if (!url.startsWith("https://there.example/")) return context.fetch(url, init);
      assert.equal(init.redirect, "manual");
      const { pathname, search } = new URL(url);
      const headers = new Headers(init.headers);
      const body = typeof init.body === "string" ? init.body : "";
      const request = { path: pathname + search, headers, body };
      requests.push(request);
      const answer = answers(request);
      if (answer instanceof Response) return answer;
      return answer === undefined
        ? Response.json({ message: "no such page" }, { status: 404 })
        : Response.json(answer);
    },
  });
  return { cli, requests };
}

const from = "--from-url https://there.example/api --from-token-env THEIRS";
const attributes = { url: page, monitor_type: "status", pronounceable_name: "stack" };

const services: readonly {
  readonly system: string;
  readonly answers: Readonly<Record<string, object>>;
  readonly labels: readonly string[];
  readonly authorization: readonly [header: string, value: string];
}[] = [
  {
    system: "healthchecks",
    authorization: ["x-api-key", secret],
    answers: {
      "/api/checks/": {
        checks: [
          {
            uuid: "31365bce-8da9-4729-8ff3-aaa71d56b712",
            name: "Job",
            timeout: 60,
            grace: 60,
            last_ping: "2026-01-04T02:00:00+00:00",
          },
        ],
      },
      "/api/channels/": { channels: [] },
      "/api/checks/31365bce-8da9-4729-8ff3-aaa71d56b712/flips/": [
        { timestamp: "2026-01-04T00:00:00+00:00", up: 1 },
      ],
    },
    labels: ["Job"],
  },
  {
    system: "pingdom",
    authorization: ["authorization", `Bearer ${secret}`],
    answers: {
      "/api/checks?limit=25000": { checks: [{ id: 7 }] },
      "/api/checks/7": {
        check: { id: 7, name: "host", hostname: "192.0.2.1", type: { ping: {} } },
      },
      "/api/summary.outage/7": {
        summary: { states: [{ status: "up", timefrom: 1_767_484_800, timeto: 1_767_490_000 }] },
      },
    },
    labels: ["host"],
  },
  {
    system: "betterstack",
    authorization: ["authorization", `Bearer ${secret}`],
    answers: {
      "/api/monitors": {
        data: [{ id: "1", type: "monitor", attributes }],
        pagination: { next: "https://there.example/api/monitors?page=2" },
      },
      "/api/monitors?page=2": {
        data: [
          { id: "2", type: "monitor", attributes: { ...attributes, pronounceable_name: "two" } },
        ],
        pagination: { next: null },
      },
      "/api/heartbeats": { data: [] },
    },
    labels: ["stack", "two"],
  },
  {
    system: "statuscake",
    authorization: ["authorization", `Bearer ${secret}`],
    answers: {
      "/api/contact-groups": { data: [] },
      "/api/uptime?page=1&limit=100": { data: [{ id: "1" }], metadata: { page_count: 2 } },
      "/api/uptime?page=2&limit=100": { data: [{ id: "2" }], metadata: { page_count: 2 } },
      "/api/uptime/1": {
        data: { id: "1", name: "cake", test_type: "PING", website_url: "192.0.2.1" },
      },
      "/api/uptime/2": {
        data: { id: "2", name: "tart", test_type: "PING", website_url: "192.0.2.2" },
      },
      "/api/heartbeat?page=1&limit=100": { data: [{ id: "3" }], metadata: { page_count: 1 } },
      "/api/heartbeat/3": { data: { id: "3", name: "job", period: 600 } },
    },
    labels: ["cake", "tart", "job"],
  },
];

async function labelsOf({ ask, alice }: ApiFixture): Promise<readonly string[]> {
  const { body } = await ask(alice, "GET /checks");
  return Object.values<{ readonly label: string }>(body).map(({ label }) => label);
}

for (const { system, answers, labels, authorization } of services)
  test(`${system} is read by its API, all pages of it`, async () => {
    await using cast = await createApiFixture();
    const { cli, requests } = commandLineWith(
      cast,
      ({ path }) => answers[path] ?? answers[path.replace(/\?from=\d+$/, "")],
    );
    const plan = await cli(`import ${system} ${from} --plan`);
    assert.match(plan.out, new RegExp(`^Plan: ${labels.length} to create`, "m"), plan.err);
    assert.deepEqual(await labelsOf(cast), []);
    const done = await cli(`import ${system} ${from}`);
    assert.equal(done.code, 0, done.out + done.err);
    assert.deepEqual((await labelsOf(cast)).toSorted(), labels.toSorted());
    const [header, value] = authorization;
    assert.ok(requests.every(({ headers }) => headers.get(header) === value));
    assert.match((await cli(`import ${system} ${from}`)).out, /^0 created/m);
  });

test("uptimerobot is read by its API, all pages of it", async () => {
  await using cast = await createApiFixture();
  const { cli } = commandLineWith(cast, ({ path, body }) => {
    const { api_key: key, offset } = JSON.parse(body);
    assert.deepEqual([path, key], ["/api/v2/getMonitors", secret]);
    const monitors = [{ id: offset + 1, friendly_name: `robot ${offset}`, type: 1, url: page }];
    return { stat: "ok", pagination: { offset, limit: 50, total: 51 }, monitors };
  });
  const { code, err } = await cli(`import uptimerobot ${from}`);
  assert.equal(code, 0, err);
  assert.deepEqual(await labelsOf(cast), ["robot 0", "robot 50"]);
});

test("a limit of rate is waited for, and a token goes nowhere else and into no message", async () => {
  await using cast = await createApiFixture();
  let waits = 0;
  const refused = commandLineWith(cast, ({ path }) => {
    waits += 1;
    if (waits === 1) return Response.json({}, { status: 429, headers: { "retry-after": "7" } });
    return path === "/api/monitors"
      ? { data: [], pagination: { next: "https://elsewhere.example/api" } }
      : undefined;
  });
  const ran = refused.cli(`import betterstack ${from}`);
  await stepUntil("it goes on", async () => {
    await cast.clock.advance(1000);
    return waits > 1;
  });
  const { code, err } = await ran;
  assert.deepEqual(
    [code, waits, err],
    [
      1,
      2,
      "Its rate limit is reached; continuing in 7 s.\nhttps://there.example/api leads to another address: https://elsewhere.example/api\n",
    ],
  );
  const cases: readonly (readonly [Response, RegExp])[] = [
    [
      new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } }),
      /is at another address: https:\/\/elsewhere\.example\//,
    ],
    [new Response("\u001b[31mno", { status: 401 }), /responded with 401: +\[31mno$/m],
    [Response.json({ error: "Token not found" }), /responded with Token not found/],
    [new Response("<html>"), /malformed JSON/],
  ];
  for (const [response, message] of cases) {
    const { cli } = commandLineWith(cast, () => response);
    const ended = await cli(`import nodeping ${from}`);
    assert.equal(ended.code, 1);
    assert.match(ended.err, message);
    assert.ok(!(ended.out + ended.err).includes(secret));
  }
});

test("a token comes from the environment or a file, and with no files beside it", async () => {
  await using cast = await createApiFixture();
  const { cli, requests } = commandLineWith(cast, () => ({}));
  const folder = await mkdtemp(join(tmpdir(), "watchpost-import-test-"));
  const file = join(folder, "token");
  await writeFile(file, `${secret}\n`);
  const url = "--from-url https://there.example/api";
  assert.equal((await cli(`import nodeping ${url} --from-token-file ${file} --plan`)).code, 0);
  const [first] = requests;
  assert.equal(first?.headers.get("authorization"), `Basic ${btoa(`${secret}:`)}`);
  const cases = [
    [`import nodeping ${url}`, /give the path of files, or --from-token-env/],
    [`import nodeping ${url} --from-token-env NONE`, /the environment has no NONE/],
    [`import nodeping ${url} --from-token-file ${folder}/none`, /cannot read/],
    [`import nodeping ${folder} --from-token-env THEIRS`, /not both/],
    [`import nodeping --from-url ftp://x --from-token-env THEIRS`, /no URL of http or https/],
  ] as const;
  for (const [line, message] of cases) assert.match((await cli(line)).err, message, line);
  await rm(folder, { recursive: true });
});

/** Another installation, as https://there.example. */
function asSource(cast: ApiFixture, source: ApiFixture): CommandLine {
  const [here, there] = [cast, source].map(
    (each) => commandContext(each, each.alice.token).context.fetch,
  );
  return commandLine(cast, cast.alice.token, {
    environment: { THEIRS: source.alice.token },
    fetch: (url, init) => {
      const fetch = url.startsWith("https://there.example/") ? there : here;
      return fetch?.(url, init) ?? assert.fail();
    },
  });
}

test("another installation is read by its API: checks, recipients of groups and profiles, maintenances and history", async () => {
  await using source = await createApiFixture();
  await using cast = await createApiFixture();
  const { ask, alice, clock } = source;
  const contact = await ask(alice, "POST /contacts", {
    name: "Ann",
    custrole: "notify",
    newaddresses: [{ type: "email", address: "ann@example.com" }],
  });
  const group = await ask(alice, "POST /contactgroups", {
    name: "On call",
    members: Object.keys(contact.body.addresses),
  });
  const notifications = [{ [group.body._id]: { schedule: "All", delay: 5 } }];
  const check = await ask(alice, "POST /checks", {
    type: "HTTP",
    label: "site",
    target: page,
    interval: 3,
    enabled: true,
    notifications,
  });
  const paused = await ask(alice, "POST /checks", { type: "PING", target: "192.0.2.1" });
  await ask(alice, "PUT /accounts", { timezone: "Asia/Tokyo" });
  await ask(alice, "POST /checks", { type: "PUSH", label: "job", cron: "0 3 * * *" });
  await ask(alice, "POST /maintenance", {
    name: "Night",
    cron: "0 2 * * *",
    duration: 30,
    checklist: [check.body._id],
    enabled: true,
  });
  const start = clock.now() - 86_400_000;
  const known = [{ start, end: clock.now() }];
  await ask(alice, `POST /importedhistories/${check.body._id}`, { origin: "kuma", known });
  await clock.advance(3_600_000);
  await cast.clock.advance(7_200_000);
  const cli = asSource(cast, source);
  const done = await cli(
    "import nodeping --from-url https://there.example/api/1 --from-token-env THEIRS",
  );
  assert.equal(done.code, 0, done.out + done.err);
  const { body: checks } = await cast.ask(cast.alice, "GET /checks");
  const [site, other, job] = Object.values<Record<string, object>>(checks);
  // It has the same times here, in an account of another zone.
  assert.deepEqual(
    Object.entries(job?.parameters ?? {}).filter(([name]) => /cron|timezone/.test(name)),
    [
      ["cron", "0 3 * * *"],
      ["timezone", "Asia/Tokyo"],
    ],
  );
  assert.deepEqual([site?.label, site?.interval, site?.enable], ["site", 3, "active"]);
  assert.equal(other?.enable, "inactive");
  assert.equal(paused.status, 200);
  const { body: contacts } = await cast.ask(cast.alice, "GET /contacts");
  const ann = Object.values<Record<string, unknown>>(contacts).find(({ name }) => name === "Ann");
  assert.deepEqual(site?.notifications, [{ [String(ann?._id)]: { schedule: "All", delay: 5 } }]);
  const { body: windows } = await cast.ask(cast.alice, "GET /maintenance");
  assert.deepEqual(
    Object.values<Record<string, unknown>>(windows).map(({ name, cron, checklist, enabled }) => [
      name,
      cron,
      checklist,
      enabled,
    ]),
    [["Night", "0 2 * * *", [site?._id], false]],
  );
  const { body: histories } = await cast.ask(cast.alice, "GET /importedhistories");
  assert.deepEqual(Object.keys(histories), [site?._id]);
  const again = await cli(
    "import nodeping --from-url https://there.example/api/1 --from-token-env THEIRS",
  );
  assert.match(again.out, /^0 created, 0 already there, \d imported before/m);
});
