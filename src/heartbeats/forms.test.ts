import assert from "node:assert/strict";
import { test } from "node:test";

import { heartbeatPath, pushHarness, token } from "../../test/harnesses/push-harness.ts";
import { alice, minute } from "../../test/record-builders.ts";

const query = `id=${alice.id}-PUSHED&checktoken=${token}`;

test("GET, HEAD, POST and PUT are heartbeats, at the address with a query and at the one without", async () => {
  await using site = await pushHarness();
  const forms = [
    { path: `/v1?${query}`, answer: '{"success":true}' },
    { path: heartbeatPath, answer: "OK" },
    { path: `${heartbeatPath}/`, answer: "OK" },
  ];
  let sent = 0;
  for (const method of ["GET", "HEAD", "POST", "PUT"])
    for (const { path, answer } of forms) {
      const body = method === "HEAD" ? "" : answer;
      assert.deepEqual(await site.send(undefined, { method, path }), { status: 200, body });
      sent += 1;
      assert.equal((await site.results()).length, sent, `${method} ${path}`);
      await site.clock.advance(minute / 3);
    }
  assert.ok((await site.results()).every(({ passed }) => passed));
});

const reports: readonly {
  after: string;
  finds: readonly [passed: boolean, text: string, message: string, runtimeMs: number];
}[] = [
  { after: "/fail", finds: [false, "Failure", "The sender reported a failure", 0] },
  { after: "/0", finds: [true, "Success", "Heartbeat received", 0] },
  { after: "/1", finds: [false, "Exit 1", "The exit code was 1", 0] },
  { after: "/255", finds: [false, "Exit 255", "The exit code was 255", 0] },
  { after: "?status=up&msg=OK&ping=", finds: [true, "Success", "OK", 0] },
  { after: "?status=up&msg=took+long&ping=1250.4", finds: [true, "Success", "took long", 1250] },
  { after: "?status=down&msg=disk%20full", finds: [false, "Failure", "disk full", 0] },
  { after: "?status=warning", finds: [false, "Failure", "The sender reported a failure", 0] },
  { after: "?status=", finds: [true, "Success", "Heartbeat received", 0] },
  { after: "/3?msg=no+space%0Aleft&ping=7ms", finds: [false, "Exit 3", "no space left", 7] },
  { after: "/fail?status=up", finds: [false, "Failure", "The sender reported a failure", 0] },
  { after: `?msg=${"x".repeat(300)}`, finds: [true, "Success", `${"x".repeat(249)}…`, 0] },
];

test("the address says whether the job has failed, its query in which words and after which time", async () => {
  await using site = await pushHarness();
  for (const { after, finds } of reports) {
    const answer = await site.send(undefined, { method: "GET", path: heartbeatPath + after });
    assert.deepEqual(answer, { status: 200, body: "OK" }, after);
    const { passed, text, message, runtimeMs } = (await site.results()).at(-1) ?? assert.fail();
    assert.deepEqual([passed, text, message, runtimeMs], finds, after);
    assert.equal(await site.state(), passed ? "passing" : "failing", after);
    await site.clock.advance(minute);
  }
});

test("metrics out of their ranges are named whatever the sender says", async () => {
  await using site = await pushHarness({ parameters: { fields: { a: { name: "a", min: 1 } } } });
  const path = `${heartbeatPath}?msg=done`;
  await site.send({ data: { a: 0 } }, { path });
  await site.send({ data: { a: 2 } }, { path });
  await site.send({ data: { a: 0 } }, { path: `${heartbeatPath}/2` });
  assert.deepEqual(
    (await site.results()).map(({ message }) => message),
    ["a:0 (min 1)", "done", "The exit code was 2"],
  );
});

const refused: readonly { path: string; status: number; error: RegExp }[] = [
  { path: `/v1/${alice.id}-PUSHED/NO`, status: 403, error: /^No check found with that ID/ },
  { path: `/v1/${alice.id}-OTHER/${token}`, status: 403, error: /^No check found with that ID/ },
  { path: `/v1/${alice.id}-PUSHED`, status: 404, error: /^no such address: .*checktoken/ },
  { path: `${heartbeatPath}/stop`, status: 404, error: /^no such address/ },
  { path: `${heartbeatPath}/0/1`, status: 404, error: /^no such address/ },
  { path: `${heartbeatPath}/256`, status: 400, error: /^exit code: must be 0 to 255, not 256$/ },
  { path: `${heartbeatPath}/-1`, status: 404, error: /^no such address/ },
  { path: `${heartbeatPath}?ping=fast`, status: 400, error: /^ping: .*not "fast"$/ },
  { path: `${heartbeatPath}?rid=a%20b`, status: 400, error: /^rid: must have at most 64/ },
];

for (const { path, status, error } of refused) {
  test(`${path.replace(heartbeatPath, "…")} is refused and keeps nothing`, async () => {
    await using site = await pushHarness();
    const answer = await site.send(undefined, { method: "GET", path });
    assert.equal(answer.status, status);
    assert.match(JSON.parse(answer.body).error, error);
    assert.deepEqual(await site.results(), []);
  });
}

test("the five of a minute are those of all forms together", async () => {
  await using site = await pushHarness();
  for (const path of ["", "/0", "/1", "/fail", "?status=up"])
    assert.equal((await site.send(undefined, { path: heartbeatPath + path })).status, 200);
  for (const path of ["", "/0"])
    assert.equal((await site.send(undefined, { path: heartbeatPath + path })).status, 409);
  assert.equal((await site.send()).status, 409);
  assert.equal((await site.results()).length, 5);
});

const outputs: readonly {
  name: string;
  sent: string | Uint8Array<ArrayBuffer>;
  kept: RegExp | undefined;
}[] = [
  { name: "text", sent: "line 1\r\nline 2\n", kept: /^line 1\nline 2$/ },
  {
    name: "colours and progress",
    sent: "10%\r\u001b[32m100%\u001b[0m\ndone\u0007",
    kept: /^100%\ndone$/,
  },
  {
    name: "JSON of a tool",
    sent: '{"message_type":"summary"}',
    kept: /^\{"message_type":"summary"\}$/,
  },
  { name: "what only looks like JSON", sent: "{unfinished", kept: /^\{unfinished$/ },
  { name: "blanks", sent: " \n", kept: undefined },
  {
    name: "the token",
    sent: `curl https://w.example${heartbeatPath}`,
    kept: /PUSHED\/\(hidden\)$/,
  },
  { name: "no text", sent: new Uint8Array([1, 0, 2]), kept: /^\(3 bytes that are no text\)$/ },
  {
    name: "more than is kept",
    sent: `first\n${"x".repeat(99)}\n${`${"y".repeat(99)}\n`.repeat(150)}`,
    kept: /^\(5106 bytes before this were cut off\)\ny{99}\n[^x]*y$/,
  },
];

test("a body is kept as evidence with the result, whether or not that passed", async () => {
  await using site = await pushHarness();
  for (const after of ["", "/1"])
    for (const { name, sent, kept } of outputs) {
      const answer = await site.send(sent, {
        path: heartbeatPath + after,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      assert.equal(answer.status, 200, name);
      const { startedAt } = (await site.results()).at(-1) ?? assert.fail();
      const range = { checkNo: site.no, from: startedAt, to: startedAt };
      const text = (await site.store.evidence.list(range))[0]?.text;
      if (kept === undefined) assert.equal(text, undefined, name);
      else assert.match(text ?? "", kept, name);
      await site.clock.advance(minute);
    }
});

test("a log is kept with the last result, and says nothing of the state, nor that its sender is alive", async () => {
  await using site = await pushHarness();
  const log = (sent: string | undefined, after = ""): ReturnType<typeof site.send> =>
    site.send(sent, { path: `${heartbeatPath}/log${after}`, headers: {} });
  const unkept = { status: 200, body: "OK, but not kept: there is no result yet" };
  assert.deepEqual(await log("before any result"), unkept);
  await site.send("Exit", { path: `${heartbeatPath}/1`, headers: {} });
  const [result] = await site.results();
  assert.deepEqual(await log(`tar: done ${heartbeatPath}\n`), { status: 200, body: "OK" });
  await site.clock.advance(minute);
  assert.deepEqual(await log(undefined, "?msg=by+hand"), { status: 200, body: "OK" });
  assert.deepEqual(await log(undefined), { status: 200, body: "OK" });
  const all = { checkNo: site.no, from: 0, to: site.clock.now() + minute };
  const texts = async (): Promise<readonly object[]> =>
    (await site.store.evidence.list(all)).map(({ startedAt, text }) => ({ startedAt, text }));
  const startedAt = result?.startedAt;
  const hidden = heartbeatPath.replace(token, "(hidden)");
  assert.deepEqual(await texts(), [{ startedAt, text: `Exit\ntar: done ${hidden}\nby hand` }]);
  assert.equal((await site.results()).length, 1);
  assert.equal(await site.state(), "failing");
  for (let count = 0; count < 4; count += 1) await log("x".repeat(9000));
  assert.equal((await log("one too many")).status, 409);
  const [kept] = await site.store.evidence.list(all);
  assert.ok((kept?.text.length ?? 0) < 10_100);
  assert.equal((await site.send("no", { path: `${heartbeatPath}X/log` })).status, 403);
});

test("the end of a long output is kept, of metrics that are too long nothing", async () => {
  await using site = await pushHarness();
  const output = `${"x".repeat(99)}\n`.repeat(83_000);
  const send = (body: string): ReturnType<typeof site.send> =>
    site.send(`${body}the end`, { path: `${heartbeatPath}/3`, headers: {} });
  assert.deepEqual(await send(output), { status: 200, body: "OK" });
  const all = { checkNo: site.no, from: 0, to: site.clock.now() + minute };
  const [kept] = await site.store.evidence.list(all);
  assert.match(
    kept?.text ?? "",
    /^\(8290\d{3} bytes before this were cut off\)\nx{99}\n[x\n]*\nthe end$/,
  );
  for (const body of [`${output}${output}`, `{"data":{"a":"${output}`])
    assert.equal((await send(body)).status, 413);
  const query = await site.send(output, { headers: {} });
  assert.equal(query.status, 413, "to the address with a query");
  assert.equal((await site.results()).length, 1);
});

test("metrics are evidence of a failure only", async () => {
  await using site = await pushHarness({ parameters: { fields: { a: { name: "a", min: 1 } } } });
  await site.send({ data: { a: 2 } });
  await site.send({ data: { a: 0 } });
  const all = { checkNo: site.no, from: 0, to: site.clock.now() + minute };
  const kept = await site.store.evidence.list(all);
  assert.deepEqual(
    kept.map(({ text }) => text),
    ['{"data":{"a":0}}'],
  );
});
