import assert from "node:assert/strict";
import dns from "node:dns";
import test, { after } from "node:test";

import { contextOf } from "../../../test/contracts/check-type.ts";
import {
  ASKED,
  nameServer,
  replyTo,
  wireRecord,
  type DnsHandler,
  type NameServer,
} from "../../../test/peers/name-server.ts";
import { closedPort } from "../../../test/peers/tcp.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { querySystemDns } from "./system-dns.ts";

const question = { name: "a.test", type: "A", recursive: true, extended: false } as const;
const usual = dns.getServers();
after(() => dns.setServers(usual));

const answering =
  (last: number): DnsHandler =>
  (query) => [replyTo(query, { answer: [wireRecord(ASKED, 1, Buffer.from([192, 0, 2, last]))] })];
const silent: DnsHandler = () => [];

function ask(
  servers: readonly Pick<NameServer, "port">[],
  { clock = fakeClock(), signal = new AbortController().signal } = {},
): ReturnType<typeof querySystemDns> {
  dns.setServers(servers.map(({ port }) => `127.0.0.1:${port}`));
  const { setTimer, monotonic } = clock;
  return querySystemDns(
    { transport: "udp", question },
    { ...contextOf(), setTimer, monotonic, signal },
  );
}

async function answerOf(response: ReturnType<typeof querySystemDns>): Promise<unknown> {
  return (await response).message.answer.map(({ data }) => data);
}

test("the second server is not asked where the first answers", async () => {
  await using first = await nameServer(answering(1));
  await using second = await nameServer(answering(2));
  const clock = fakeClock();
  assert.deepEqual(await answerOf(ask([first, second], { clock })), ["192.0.2.1"]);
  assert.deepEqual([second.queries.length, clock.pending()], [0, 0]);
});

test("the second server is asked once the first has been silent for a second", async () => {
  await using first = await nameServer(silent);
  await using second = await nameServer(answering(2));
  const clock = fakeClock();
  const asking = ask([first, second], { clock });
  await waitFor("the first question", () => first.queries.length === 1);
  await clock.advance(999);
  assert.equal(second.queries.length, 0);
  await clock.advance(1);
  const { phases } = await asking;
  assert.deepEqual(await answerOf(asking), ["192.0.2.2"]);
  assert.deepEqual(phases, { dns: 1000, firstByte: 1000, total: 1000 });
  assert.equal(clock.pending(), 0);
});

test("the first server may still answer when the second is silent too", async () => {
  let heard = 0;
  await using first = await nameServer((query) =>
    (heard += 1) > 2 ? answering(1)(query, "udp") : [],
  );
  await using second = await nameServer(silent);
  const clock = fakeClock();
  const asking = ask([first, second], { clock });
  for (const [queries, seconds] of [1, 2].entries()) {
    await waitFor("a question", () => first.queries.length === queries + 1);
    await clock.advance(seconds * 1000);
  }
  assert.deepEqual(await answerOf(asking), ["192.0.2.1"]);
  assert.ok(second.queries.length > 0);
});

test("the second server is asked at once where nobody listens at the first", async () => {
  await using second = await nameServer(answering(2));
  assert.deepEqual(await answerOf(ask([{ port: await closedPort() }, second])), ["192.0.2.2"]);
});

test("the next server is asked where one cannot or will not look up, and the first counts where none can", async () => {
  await using first = await nameServer((query) => [replyTo(query, { flags: 0x8182 })]);
  await using second = await nameServer((query) => [replyTo(query, { flags: 0x8185 })]);
  await using third = await nameServer(answering(3));
  assert.deepEqual(await answerOf(ask([first, second, third])), ["192.0.2.3"]);
  const { message } = await ask([first, second, { port: await closedPort() }]);
  assert.equal(message.code, "SERVFAIL");
});

test("where no server can be asked, the error is that of the first", async () => {
  const ports = [await closedPort(), await closedPort()];
  const failed = ask(ports.map((port) => ({ port })));
  await assert.rejects(failed, { code: "ECONNREFUSED", address: "127.0.0.1" });
});

test("the signal ends the questions to all servers", async () => {
  await using first = await nameServer(silent);
  await using second = await nameServer(silent);
  const clock = fakeClock();
  const controller = new AbortController();
  const asking = ask([first, second], { clock, signal: controller.signal });
  await waitFor("the first question", () => first.queries.length === 1);
  await clock.advance(1000);
  await waitFor("the second question", () => second.queries.length === 1);
  controller.abort("over");
  await assert.rejects(asking, { code: "interrupted", phase: "answer" });
  assert.equal(clock.pending(), 0);
});
