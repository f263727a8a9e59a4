import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";

import { listen } from "../peers/tcp.ts";
import { start, temporaryFolder } from "./process.ts";

const program = new URL("../../watchpost", import.meta.url).pathname;

interface Received {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** What takes heartbeats as Watchpost does, and remembers them. */
async function intake() {
  const received: Received[] = [];
  const peer = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
        received.push({ path: pathname, query: searchParams, body });
        response.end("OK");
      });
    }),
  );
  return Object.assign(peer, { received, url: `http://127.0.0.1:${peer.port}/v1/ID/TOKEN` });
}

/** Runs a shell's command by `watchpost run`. */
async function run(script: string, url: string, signal?: NodeJS.Signals) {
  const child = spawn(program, ["run", "--", "sh", "-c", script], {
    env: { ...process.env, WATCHPOST_HEARTBEAT_URL: url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  if (signal !== undefined) {
    await once(child.stdout, "data");
    child.kill(signal);
  }
  const [code] = await once(child, "close");
  const [out, err] = await output;
  return { code: Number(code), out, err };
}

// Side by side, for most of it is waiting for processes.
suite("watchpost run", { concurrency: true }, () => {
  test("passes a command's output and exit code on, and reports start, exit code, run time and output", async () => {
    await using peer = await intake();
    const ended = await run("umask; echo out; echo err >&2; sleep 0.2; exit 3", peer.url);
    const own = spawnSync("sh", ["-c", "umask"]).stdout.toString();
    assert.deepEqual(ended, { code: 3, out: `${own}out\n`, err: "err\n" });
    const [first, last] = peer.received;
    assert.equal(first?.path, "/v1/ID/TOKEN/start");
    assert.equal(last?.path, "/v1/ID/TOKEN/3");
    assert.equal(first.query.get("rid"), last.query.get("rid"));
    const ping = Number(last.query.get("ping"));
    assert.ok(ping >= 200 && ping < 20_000, String(ping));
    assert.deepEqual(last.body.split("\n").toSorted(), ["", "err", "out", own.trim()].toSorted());
  });

  test("reports a command that is not there, or is ended by a signal that it passes on, as a shell does", async () => {
    await using peer = await intake();
    const missing = spawn(program, ["run", peer.url, "--", "/no/such/command"], {
      stdio: "ignore",
    });
    assert.deepEqual((await once(missing, "close"))[0], 127);
    assert.equal(peer.received.at(-1)?.path, "/v1/ID/TOKEN/127");
    const ended = await run("echo up; exec sleep 60", peer.url, "SIGTERM");
    assert.equal(ended.code, 143);
    assert.equal(peer.received.at(-1)?.path, "/v1/ID/TOKEN/143");
  });

  test("says which argument is wrong, and runs nothing", () => {
    for (const [args, sentence] of [
      [["run"], /a command is missing after --/],
      [["run", "--", "true"], /which check\?/],
      [["run", "a/b", "--", "true"], /with --url/],
      [["run", "https://w.example/", "--", "true"], /the address of heartbeats must be/],
    ] as const) {
      const { status, stderr } = spawnSync(program, args, { env: { PATH: process.env.PATH } });
      assert.equal(status, 2);
      assert.match(stderr.toString(), sentence);
    }
  });
});

const has = (command: string): boolean => spawnSync("which", [command]).status === 0;

test("an hour of lines of cron, as curl and wget run them, is stored, with run times, messages and outputs", async () => {
  for (const command of ["curl", "wget"]) assert.ok(has(command), `${command} is needed`);
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  const add = async (parameters: object): Promise<{ id: string; url: string }> => {
    const check = await site.api("POST checks", { type: "PUSH", enabled: true, ...parameters });
    const { _id: id, parameters: own } = check;
    return { id, url: `${site.base}/v1/${id}/${String(own.checktoken)}` };
  };
  const lines: readonly { line: (url: string) => string; finds: RegExp; evidence?: RegExp }[] = [
    {
      line: (url) => `curl -fsS -m 10 --retry 5 -o /dev/null ${url}`,
      finds: /^true Heartbeat received/,
    },
    {
      line: (url) => `false; curl -fsS -m 10 --retry 5 ${url}/$?`,
      finds: /^false The exit code was 1/,
    },
    { line: (url) => `true && curl -fsS ${url} || curl -fsS ${url}/fail`, finds: /^true/ },
    {
      line: (url) => `false && curl -fsS ${url} || curl -fsS ${url}/fail`,
      finds: /^false The sender/,
    },
    { line: (url) => `wget ${url} -T 10 -t 10 -O /dev/null`, finds: /^true/ },
    { line: (url) => `wget --spider -q ${url}`, finds: /^true/ },
    {
      line: (url) => `wget -q -O- --post-data="$(uname)" ${url}/0`,
      finds: /^true/,
      evidence: /^Linux$/,
    },
    {
      line: (url) => `m=$(echo log; exit 4); curl -fsS --data-raw "$m" ${url}/$?`,
      finds: /^false The exit code was 4/,
      evidence: /^log$/,
    },
    {
      line: (url) => `curl -fsS --retry 3 "${url}/start?rid=7"; curl -fsS "${url}/0?rid=7"`,
      finds: /^true Heartbeat received [1-9]/,
    },
    { line: (url) => `curl -fsS "${url}?status=up&msg=OK&ping="`, finds: /^true OK 0$/ },
    {
      line: (url) => `curl -s "${url}?status=down&msg=disk+full&ping=12"`,
      finds: /^false disk full 12$/,
    },
    {
      line: (url) => `seq 5000 | curl -fsS --data-binary @- ${url}`,
      finds: /^true/,
      evidence: /^\(\d+ bytes before this were cut off\)\n[^]*\n5000$/,
    },
    { line: (url) => `curl -fsS -I ${url} >/dev/null`, finds: /^true/ },
    { line: (url) => `curl -fsS -X PUT ${url}`, finds: /^true/ },
  ];
  await Promise.all(
    lines.map(async ({ line, finds, evidence }) => {
      const { id, url } = await add({ cron: "*/5 * * * *", grace: 5 });
      const child = spawn("sh", ["-c", line(url)], { stdio: ["ignore", "ignore", "inherit"] });
      await once(child, "close");
      const [result] = await site.api(`GET results/${id}?clean=true&limit=1&detail=true`);
      assert.match(
        `${String(result?.su)} ${String(result?.m)} ${String(result?.rt)}`,
        finds,
        line("…"),
      );
      if (evidence !== undefined) assert.match(String(result?.evidence), evidence, line("…"));
      const { expected } = await site.api(`GET checks/${id}`);
      assert.ok(Number(expected) % 300_000 === 0, "at the next five minutes");
    }),
  );
  const { url } = await add({});
  const refused = spawnSync("curl", ["-fsS", `${url}X`]);
  assert.equal(refused.status, 22, "curl -f fails for a token that is none");
});
