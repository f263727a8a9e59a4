import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { suite, test } from "node:test";

import { temporaryFolder } from "../../test/e2e/process.ts";
import { closedPort, listen } from "../../test/peers/tcp.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { stepUntil, waitFor } from "../../test/time/wait-for.ts";
import { systemClock, type Clock } from "../kit/clock.ts";
import { runJob } from "./run-job.ts";

interface Received {
  readonly path: string;
  readonly body: Buffer;
}

/** Starts a server that receives heartbeats and gives these responses first. */
async function intake(answers: readonly ((response: ServerResponse) => void)[] = []) {
  const received: Received[] = [];
  const peer = await listen(
    createServer((request, response) => {
      void buffer(request).then((body) => {
        const answer = answers[received.length] ?? ((to: ServerResponse) => void to.end("OK"));
        received.push({ path: request.url?.replace(/\?.*/, "") ?? "", body });
        answer(response);
      });
    }),
  );
  return Object.assign(peer, { received, url: `http://127.0.0.1:${peer.port}/v1/ID/TOKEN` });
}

/** Takes what is written, at once. */
function collector() {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(pieces) };
}

/** Runs a command; its output as bytes, for it need not be text. */
function run(url: string, command: readonly string[], clock: Clock = systemClock) {
  const signals = new EventEmitter();
  const [out, err] = [collector(), collector()];
  const host = {
    env: { WATCHPOST_HEARTBEAT_URL: url },
    stdout: out.stream,
    stderr: err.stream,
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
  };
  const ended = runJob(["--", ...command], host, clock).then((code) => ({
    code,
    out: out.bytes(),
    err: err.bytes().toString(),
  }));
  return { ended, printed: () => out.bytes().toString(), signals };
}

const shell = (script: string): readonly string[] => ["sh", "-c", script];
const answering =
  (status: number) =>
  (response: ServerResponse): void =>
    void response.writeHead(status).end("why");
const paths = (received: readonly Received[]): readonly string[] =>
  received.map(({ path }) => path.replace("/v1/ID/TOKEN", ""));

suite("watchpost run", { concurrency: true }, () => {
  test("runs the command where nobody answers, keeps its exit code, tries for 13 s, and says so", async () => {
    const clock = fakeClock();
    const from = clock.monotonic();
    const job = run(
      `http://127.0.0.1:${await closedPort()}/v1/a/b`,
      shell("echo out; exit 3"),
      clock,
    );
    let isOver = false;
    void job.ended.then(() => (isOver = true));
    await stepUntil("it gives up", async () => {
      await clock.advance(100);
      return isOver;
    });
    const { code, out, err } = await job.ended;
    assert.deepEqual([code, out.toString()], [3, "out\n"]);
    assert.match(
      err,
      /^(watchpost run: not reported: 127\.0\.0\.1:\d+: nothing listens there.*\n){2}$/,
    );
    assert.ok(clock.monotonic() - from >= 13_000);
  });

  test("tries again after 429 and 5xx, not after what stays refused, and takes 409 for received", async () => {
    for (const [answers, sent, said] of [
      [[200, 503, 429], ["/start", "/0", "/0", "/0"], /^$/],
      [[200, 403], ["/start", "/0"], /^watchpost run: not reported: 403 why\n$/],
      [[503, 200], ["/start", "/0"], /^watchpost run: not reported: 503 why\n$/],
      [[409, 409], ["/start", "/0"], /^$/],
    ] as const) {
      await using peer = await intake(answers.map(answering));
      const clock = fakeClock();
      const job = run(peer.url, ["true"], clock);
      let isOver = false;
      void job.ended.then(() => (isOver = true));
      await stepUntil("it is over", async () => {
        await clock.advance(100);
        return isOver;
      });
      const { code, err } = await job.ended;
      assert.deepEqual([code, paths(peer.received)], [0, sent]);
      assert.match(err, said);
    }
  });

  test("does not wait for a slow service to run the command, and reports the end after the start", async () => {
    const held: ServerResponse[] = [];
    await using peer = await intake([(response) => void held.push(response)]);
    const job = run(peer.url, shell("echo runs"));
    await waitFor("it has run", () => job.printed() === "runs\n" && held.length > 0);
    assert.deepEqual(paths(peer.received), ["/start"]);
    held[0]?.end("OK");
    assert.equal((await job.ended).code, 0);
    assert.deepEqual(paths(peer.received), ["/start", "/0"]);
  });

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    test(`passes ${signal} on, and ends as the command ends`, async () => {
      await using peer = await intake();
      for (const [script, code] of [
        [`trap 'echo caught; exit 7' ${signal.slice(3)}; echo up; while :; do sleep 0.05; done`, 7],
        ["echo up; exec sleep 60", { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal]],
      ] as const) {
        const job = run(peer.url, shell(script));
        // A shell has set its traps before it prints.
        await waitFor("it is up", () => job.printed() === "up\n");
        job.signals.emit(signal, signal);
        assert.equal((await job.ended).code, code);
        assert.equal(paths(peer.received).at(-1), `/${code}`);
        assert.equal(job.signals.listenerCount(signal), 0);
      }
    });

  test("passes bytes of every kind and any number on unchanged, and sends the end of them", async () => {
    await using peer = await intake();
    const bytes = 20_000_000;
    const binary = await run(peer.url, shell(`head -c ${bytes} /dev/zero; printf '\\377\\n'`))
      .ended;
    assert.equal(binary.out.length, bytes + 2);
    assert.deepEqual(binary.out.subarray(-3), Buffer.from([0, 0xff, 0x0a]));
    const sent = peer.received.at(-1)?.body ?? Buffer.alloc(0);
    assert.equal(sent.length, 16_384);
    assert.deepEqual(sent.subarray(-2), Buffer.from([0xff, 0x0a]));
  });

  test("waits for whoever reads the output slowly", async () => {
    await using peer = await intake();
    const bytes = 3_000_000;
    let seen = 0;
    const slow = new Writable({
      highWaterMark: 1,
      write(piece: Buffer, _, done) {
        seen += piece.length;
        setImmediate(done);
      },
    });
    const host = {
      env: { WATCHPOST_HEARTBEAT_URL: peer.url },
      stdout: slow,
      stderr: collector().stream,
      on: () => {},
      off: () => {},
    };
    assert.equal(await runJob(["--", ...shell(`head -c ${bytes} /dev/zero`)], host), 0);
    await waitFor("all of it", () => seen === bytes);
  });

  test("ends with the command, also where that leaves a process in the background", async () => {
    await using peer = await intake();
    const { code, out } = await run(peer.url, shell("sleep 60 & echo $!; exit 4")).ended;
    assert.equal(code, 4);
    process.kill(Number(out), "SIGKILL");
  });

  test("a command that is not there is 127, one that cannot be executed 126, as in a shell", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "#!/bin/sh\n", { mode: 0o644 });
    await using peer = await intake();
    for (const [command, code, said] of [
      ["/no/such/command", 127, /ENOENT/],
      ["no-such-command", 127, /ENOENT/],
      [file, 126, /EACCES/],
      [folder.path, 126, /EACCES/],
    ] as const) {
      const ended = await run(peer.url, [command]).ended;
      assert.equal(ended.code, code, command);
      assert.match(ended.err, said);
      const { path, body } = peer.received.at(-1) ?? assert.fail();
      assert.equal(path, `/v1/ID/TOKEN/${code}`);
      assert.match(body.toString(), said, "it is evidence as well");
    }
  });
});
