import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";

import { listen } from "../peers/tcp.ts";

const program = new URL("../../watchpost", import.meta.url).pathname;

interface Received {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** Starts a server that accepts heartbeats like Watchpost and records them. */
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

  test("leaves the command its standard input and the terminal, and ends where nobody reads its output", async () => {
    await using peer = await intake();
    const env = { ...process.env, WATCHPOST_HEARTBEAT_URL: peer.url, PROGRAM: program };
    const shell = async (script: string): Promise<string> => {
      const child = spawn("sh", ["-c", script], { env, stdio: ["ignore", "pipe", "inherit"] });
      const [out] = await Promise.all([text(child.stdout), once(child, "close")]);
      return out.replaceAll("\r", "");
    };
    assert.equal(await shell("echo in | $PROGRAM run -- cat"), "in\n");
    const inTerminal = `$PROGRAM run -- sh -c "test -t 0 && echo terminal; test -t 1 || echo pipe"`;
    assert.equal(await shell(`script -qec '${inTerminal}' /dev/null`), "terminal\npipe\n");
    assert.equal(await shell("$PROGRAM run -- yes 2>/dev/null | head -n 1"), "y\n");
    // SIGPIPE, or an error of its own: what is closed with bytes in it is a reset.
    assert.match(peer.received.at(-1)?.path ?? "", /TOKEN\/(1|141)$/);
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
