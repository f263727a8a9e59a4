import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";

import { pushHarness, token } from "../../test/harnesses/push-harness.ts";
import { alice, minute } from "../../test/record-builders.ts";
import { TEST_DEADLINE_MS } from "../../test/time/wait-for.ts";
import { systemClock } from "../kit/clock.ts";
import { Unavailable } from "../kit/errors.ts";
import { createAdmission, type Admission } from "../kit/http/admission.ts";
import { hasBody } from "../kit/http/read-body.ts";
import { createMinuteBudget } from "../kit/http/minute-budget.ts";

const id = `${alice.id}-PUSHED`;
const stranger = `id=${id}&checktoken=NO`;
const admission = (unknownPerMinute: number) => ({
  admission: createAdmission({ clock: systemClock, trustedProxies: [], unknownPerMinute }),
});
/** One that has memory for no body. */
const full = (): Admission => ({
  ...admission(0).admission,
  readBody: async (request, response, sender) => {
    if (hasBody(request)) throw new Unavailable("body: too many at once");
    return admission(0).admission.readBody(request, response, sender);
  },
});
const sent = (checktoken: string, characters: number): object => ({
  id,
  checktoken,
  data: { x: "y".repeat(characters) },
});

suite("a heartbeat", { timeout: TEST_DEADLINE_MS }, () => {
  for (const framing of ["Content-Length: 200000", "Transfer-Encoding: chunked"]) {
    test(`whose token does not exist is refused before its body has come (${framing})`, async () => {
      await using site = await pushHarness();
      const socket = connect({ host: "127.0.0.1", port: site.port });
      socket.write(`POST /v1?${stranger} HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
      const answer = await text(socket);
      assert.match(answer, /^HTTP\/1.1 403 [^]*No check found with that ID and checktoken"\}$/);
      assert.match(answer, /\r\nconnection: close\r\n/i);
    });
  }

  // guard: heartbeats of a client
  test("beyond the limit of its address is not stored, and proves that its check is alive", async () => {
    await using site = await pushHarness(
      { rechecks: 1, parameters: { oldresultfail: true } },
      undefined,
      { limitHeartbeats: createMinuteBudget(1, systemClock) },
    );
    site.watch();
    assert.equal((await site.send()).status, 200);
    await site.clock.advance(50_000);
    const limited = await site.send();
    assert.equal(limited.status, 429);
    assert.match(limited.body, /too many heartbeats from one address within a minute/);
    await site.clock.advance(30_000);
    assert.equal(await site.state(), "passing");
    assert.equal((await site.results()).length, 1);
    await site.clock.advance(2 * minute);
    assert.equal(await site.state(), "failing");
  });

  // guard: refusals before a heartbeat is read
  test("that is refused by a limit of ours before it is read makes its check not stale", async () => {
    await using site = await pushHarness(
      { rechecks: 1, parameters: { oldresultfail: true } },
      undefined,
      { admission: full() },
    );
    site.watch();
    assert.equal((await site.send()).status, 200);
    for (const query of [`id=${id}&checktoken=${token}`, ""]) {
      await site.clock.advance(50_000);
      const refused = await site.send(sent(token, 60_000), { query });
      assert.equal(refused.status, 503);
    }
    await site.clock.advance(50_000);
    assert.equal(await site.state(), "passing");
    assert.equal((await site.results()).length, 1);
    await site.clock.advance(2 * minute);
    assert.equal(await site.state(), "failing");
  });

  test("with a token that does not exist uses up nothing of those behind the same address", async () => {
    await using site = await pushHarness({}, undefined, {
      limitHeartbeats: createMinuteBudget(2, systemClock),
      ...admission(1),
    });
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await site.send(undefined, { query: stranger })).status);
    assert.deepEqual(statuses, [403, 429, 429]);
    assert.equal((await site.send()).status, 200);
    assert.equal((await site.send(sent(token, 0), { query: "" })).status, 200);
  });

  test("with id and token in a large body counts by its size until they are found", async () => {
    await using site = await pushHarness({}, undefined, admission(6));
    const send = async (checktoken: string): Promise<number> =>
      (await site.send(sent(checktoken, 60_000), { query: "" })).status;
    assert.deepEqual([await send(token), await send(token)], [200, 200]);
    assert.deepEqual([await send("NO"), await send(token)], [403, 429]);
    assert.equal((await site.send({ data: { x: "y".repeat(60_000) } })).status, 200);
  });
});
