import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import manifest from "../../package.json" with { type: "json" };
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { deriveLocationKey, writeLocationKey } from "../../src/bus/location-key.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { migrate } from "../../src/store/sqlite/migrate.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { closedPort } from "../peers/tcp.ts";
import { waitFor } from "../time/wait-for.ts";
import {
  apiOfAccount,
  logged,
  root,
  run,
  signInLinkOf,
  start,
  temporaryFolder,
  type Folder,
  type RunningInstallation,
} from "./process.ts";

/** Rows that SQLite counts in less than half a second. */
const SLOW_ROWS = 2_000_000;

/** As tokens and secrets of links are made; a path of an asset has no such part. */
const SECRET = /[0-9A-Z]{8}-[0-9A-Z]{4}-4[0-9A-Z]{3}-8[0-9A-Z]{3}-[0-9A-Z]{12}/g;

// guard: files that are made
test("npm start prints where it is and a link that works once, and no lasting secret, and stops on SIGTERM", async () => {
  await using folder = await temporaryFolder();
  const settings = { WATCHPOST_DATA: join(folder.path, "data") };
  const npm = ["npm", "--prefix", root, "start", "--silent"];
  await using program = run(folder.path, settings, npm);
  const link = await waitFor("the link", () => signInLinkOf(program) || undefined);
  for (const name of ["instance.key", "watchpost.db", "watchpost.db-wal"])
    assert.equal(statSync(join(folder.path, "data", name)).mode & 0o777, 0o600, name);
  const printed = (program.output() + program.log()).match(SECRET) ?? [];
  assert.deepEqual(printed, link.match(SECRET), "nothing but the link opens anything");
  for (const secret of printed) {
    const { status } = await fetch(`${new URL(link).origin}/api/1/accounts?token=${secret}`);
    assert.equal(status, 403, "the secret of the link is no token");
  }
  const create = [join(root, "watchpost"), "token", "create"];
  const made = spawnSync(create[0] ?? "", create.slice(1), {
    cwd: folder.path,
    env: { ...process.env, ...settings },
    encoding: "utf8",
  });
  const token = made.stdout.trim();
  assert.match(token, new RegExp(`^${SECRET.source}$`), made.stderr);
  await program.kill("SIGTERM");
  await using again = await start(folder.path, settings, token);
  assert.equal(signInLinkOf(again), "");
  assert.deepEqual(Object.keys(await again.api("GET accounts")).length, 1);
});

test("a terminal shows where the program is and its link, and no JSON", async () => {
  await using folder = await temporaryFolder();
  const onTerminal = ["script", "--quiet", "--return", "--command", join(root, "watchpost")];
  await using program = run(folder.path, {}, [...onTerminal, "/dev/null"]);
  await waitFor("the link", () => /Sign in +http:\S+/.test(program.output()));
  assert.match(program.output(), /Dashboard +http:\/\/127\.0\.0\.1:\d+\//);
  assert.doesNotMatch(program.output(), /^\{/m);
});

test("without a terminal everything that a service or a probe prints is a line of JSON, whatever the level", async () => {
  await using folder = await temporaryFolder();
  const nobody = await closedPort();
  const key = writeLocationKey(
    deriveLocationKey(createSealer(new Uint8Array(32)), "ny", { generation: 1, region: "nam" }),
  );
  const probe = {
    WATCHPOST_NATS_URL: `nats://127.0.0.1:${nobody}`,
    WATCHPOST_LOCATION: "ny",
    WATCHPOST_LOCATION_KEY: key,
  };
  const program = [join(root, "watchpost")];
  for (const [settings, command] of [
    [{}, program],
    [{ WATCHPOST_LOG_LEVEL: "error" }, program],
    [{ WATCHPOST_LISTEN: "nowhere" }, program],
    [probe, [...program, "probe"]],
    [{ ...probe, WATCHPOST_REGION: "eur" }, [...program, "probe"]],
  ] as const) {
    await using running = run(folder.path, settings, [...command]);
    await waitFor("its first word", () =>
      ["main.started", "main.not_started"].some((event) => logged(running, event)),
    );
    await running.kill("SIGTERM");
    assert.equal(running.output(), "");
    for (const line of running.log().trimEnd().split("\n"))
      assert.equal(typeof JSON.parse(line).event, "string", line);
  }
});

test("ready means that the configured token works, also while the first account is created slowly", async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, "data");
  mkdirSync(data, { mode: 0o700 });
  {
    using database = openDatabase(join(data, "watchpost.db"));
    migrate(database);
    database.exec(
      `CREATE VIEW work AS WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${SLOW_ROWS}) SELECT i FROM n;
       CREATE TRIGGER slow BEFORE INSERT ON accounts BEGIN SELECT count(*) FROM work; END;`,
    );
  }
  const port = await closedPort();
  const { api, base, token } = apiOfAccount(
    `http://127.0.0.1:${port}`,
    "token-of-the-first-start-0123",
  );
  await using program = run(folder.path, {
    WATCHPOST_LISTEN: `127.0.0.1:${port}`,
    WATCHPOST_TOKEN: token,
    WATCHPOST_INSTANCE_KEY: "0123456789abcdef".repeat(4),
  });
  let unready = 0;
  await waitFor("it is ready", async () => {
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    if (answer?.status === 503) unready += 1;
    return answer?.ok;
  });
  assert.deepEqual(await api("GET checks"), {}, program.log());
  assert.ok(unready > 0, "it listened before it was ready");
});

test("the link of the first start signs the owner in, who then signs in by email and password", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  const link = signInLinkOf(site);
  const { origin, searchParams } = new URL(link);
  assert.match(await (await fetch(link)).text(), /<title>Watchpost<\/title>/);
  const submit = async (path: string, form: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${origin}/api/1/signin${path}`, {
      method: "POST",
      body: JSON.stringify(form),
      headers: { origin },
    });
    const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    const { status } = await fetch(`${origin}/api/1/tokens`, { headers: { cookie } });
    return [answer.status, status];
  };
  const form = { email: "owner@example.net", password: "a password that is long" };
  const first = { ...form, link: searchParams.get("link") ?? "" };
  assert.deepEqual(await submit("/start", first), [200, 200]);
  assert.deepEqual(await submit("/start", first), [410, 403]);
  assert.deepEqual(await submit("", form), [200, 200]);
  assert.deepEqual(await submit("", { ...form, password: "x" }), [403, 403]);
  assert.equal(site.log().split(new URL(link).search).length, 2, "the link is logged once");
});

suite("a process that was started with some settings", () => {
  const ending = new AsyncDisposableStack();
  let folder: Folder;
  let site: RunningInstallation;
  before(async () => {
    folder = ending.use(await temporaryFolder());
    writeFileSync(
      join(folder.path, "watchpost.env"),
      "WATCHPOST_TOKEN=given-token-of-the-first-start\nWATCHPOST_OWNER_EMAIL=file@example.net\n",
    );
    const settings = { WATCHPOST_OWNER_EMAIL: "environment@example.net" };
    site = ending.use(await start(folder.path, settings));
  });
  after(() => ending.disposeAsync());

  test("however it is started, its memory has the same bounds", async () => {
    const unit = readFileSync(join(root, "deploy/systemd/watchpost.service"), "utf8");
    assert.match(unit, /^ExecStart=\/opt\/watchpost\/watchpost$/m);
    assert.match(manifest.scripts.start, /^exec \.\/watchpost$/);
    const process = (file: string): string => readFileSync(`/proc/${site.pid}/${file}`, "utf8");
    for (const option of ["--heap-growing-percent=30", "--max-semi-space-size=8"])
      assert.ok(process("cmdline").includes(`\0${option}\0`), option);
    assert.match(process("cmdline"), /\0--v8-pool-size=[1-4]\0/);
    for (const variable of ["MALLOC_ARENA_MAX=2", "MALLOC_MMAP_THRESHOLD_=65536"])
      assert.ok(process("environ").includes(`${variable}\0`), variable);
  });

  test("the token and the owner of the first start can be given, in a file too", async () => {
    assert.equal(site.token, "given-token-of-the-first-start");
    assert.match(JSON.stringify(await site.api("GET contacts")), /environment@example\.net/);
  });

  test("a second program on the same data folder is refused with a sentence", async () => {
    await using second = run(folder.path);
    assert.equal(await second.ended, 1);
    assert.match(
      logged(second, "main.not_started").error,
      /^another watchpost is running on the data folder/,
    );
  });

  test("promtool finds nothing to object to in the metrics", async () => {
    const input = await (await fetch(`${site.base}/metrics`)).text();
    assert.equal(checkMetrics(input), "");
    assert.match(
      checkMetrics("# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n"),
      /should not have "_total" suffix/,
    );
  });

  test("health, readiness, metrics and the dashboard are served, and say nothing of any account", async () => {
    const read = async (
      path: string,
    ): Promise<{ status: number; type: string | null; body: string; policy: string | null }> => {
      const response = await fetch(`${site.base}${path}`);
      return {
        status: response.status,
        type: response.headers.get("content-type"),
        body: await response.text(),
        policy: response.headers.get("content-security-policy"),
      };
    };
    assert.deepEqual(JSON.parse((await read("/healthz")).body), { ok: true });
    await waitFor("a start that may have stalled the process is over", async () => {
      const { ready, reasons } = JSON.parse((await read("/readyz")).body);
      return ready === true && reasons.length === 0;
    });
    const metrics = await read("/metrics");
    assert.match(metrics.body, /^watchpost_store_can_commit 1$/m);
    const page = await read("/");
    assert.match(String(page.type), /^text\/html/);
    assert.match(String(page.policy), /script-src 'self'/);
    const script = /src="([^"]+)"/.exec(page.body)?.[1] ?? "";
    assert.match(String((await read(script)).type), /^text\/javascript/);
  });
});

const refused: readonly {
  name: string;
  settings: Readonly<Record<string, string>>;
  said: readonly RegExp[];
  /** 1 where a restart may help: the folder may be mounted, and the address may appear. */
  code?: number;
}[] = [
  {
    name: "several wrong settings at once",
    settings: {
      WATCHPOST_LISTEN: "4848",
      WATCHPOST_EGRESS: "none",
      WATCHPOST_SMTP_URL: "mail.example.com",
      WATCHPOST_TOKNE: "x",
    },
    said: [
      /WATCHPOST_LISTEN: must be/,
      /WATCHPOST_EGRESS: must be/,
      /WATCHPOST_SMTP_URL: must be/,
      /WATCHPOST_TOKNE: unknown setting, did you mean WATCHPOST_TOKEN\?/,
    ],
  },
  {
    name: "a role without what it needs",
    settings: { WATCHPOST_ROLES: "controller" },
    said: [/WATCHPOST_DATABASE_URL: required with WATCHPOST_ROLES=controller/],
  },
  {
    name: "another database",
    settings: { WATCHPOST_DATABASE_URL: "mysql://x/watchpost" },
    said: [/WATCHPOST_DATABASE_URL: must be a URL such as postgres:/],
  },
  {
    name: "a broker of another kind",
    settings: { WATCHPOST_NATS_URL: "redis://x" },
    said: [/WATCHPOST_NATS_URL: must be URLs such as tls:\/\/nats\.example\.com:4222/],
  },
  {
    name: "a data folder that cannot be written",
    settings: { WATCHPOST_DATA: "/proc/watchpost" },
    said: [/data folder "\/proc\/watchpost" cannot be written/],
    code: exitCodes.failed,
  },
  {
    name: "an instance key of another size",
    settings: { WATCHPOST_INSTANCE_KEY: "short" },
    said: [/WATCHPOST_INSTANCE_KEY: must be 32 bytes/],
  },
  {
    name: "an address that is taken or not ours",
    settings: { WATCHPOST_LISTEN: "192.0.2.1:1" },
    said: [/WATCHPOST_LISTEN: cannot listen on 192\.0\.2\.1/],
    code: exitCodes.failed,
  },
];

for (const { name, settings, said, code = exitCodes.misconfigured } of refused) {
  test(`${name} is refused with a sentence, no stack, and an exit code for the service manager`, async () => {
    await using folder = await temporaryFolder();
    await using program = run(folder.path, settings);
    assert.equal(await program.ended, code, program.log());
    const { error, exitCode } = logged(program, "main.not_started");
    assert.equal(exitCode, code);
    for (const words of said) assert.match(error, words);
    assert.doesNotMatch(program.log(), /\n +at /);
  });
}

test("a start on a disk that takes no more is refused with a sentence and no stack", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  await site.kill("SIGKILL");
  const { size } = statSync(join(folder.path, "data/watchpost.db-wal"));
  const command = ["prlimit", `--fsize=${size}`, process.execPath, join(root, "src/main.ts")];
  await using program = run(folder.path, {}, command);
  assert.equal(await program.ended, 1);
  assert.match(
    logged(program, "main.not_started").error,
    /the database ".*watchpost\.db" cannot be written: /,
  );
  assert.doesNotMatch(program.log(), /\n +at /);
});

function checkMetrics(input: string): string {
  const { stdout, stderr, error } = spawnSync("promtool", ["check", "metrics"], {
    input,
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  return stdout + stderr;
}
