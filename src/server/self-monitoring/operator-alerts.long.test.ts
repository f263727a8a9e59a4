import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { smtpPeer } from "../../../test/peers/smtp.ts";
import { listen } from "../../../test/peers/tcp.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { stepUntil } from "../../../test/time/wait-for.ts";
import { createMailer } from "../../channels/mail/mailer.ts";
import { createSenders } from "../../channels/mail/senders.ts";
import { createChannels } from "../../channels/registry.ts";
import type { OpenServiceProblem } from "../../domain/service-problem.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { createIds } from "../../kit/ids.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import { createEgress } from "../../kit/net/egress.ts";
import { createResolver } from "../../kit/net/resolver.ts";
import { createOperatorAlerts } from "./operator-alerts.ts";
import { operatorChannelsOf } from "./operator-channels.ts";

const url = "https://watch.example.org/";

async function startAlerts() {
  const clock = fakeClock();
  const received: { readonly type: string; readonly text: string }[] = [];
  let status = 200;
  const receiver = await listen(
    createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        if (status === 200) received.push({ type: request.url ?? "", text: body });
        response.writeHead(status).end();
      });
    }),
  );
  const smtp = await smtpPeer();
  const mailer = createMailer({
    url: new Secret(smtp.url),
    senders: createSenders({ own: "watch@example.org", domains: [] }),
  });
  const sealer = createSealer(new Uint8Array(32));
  const channels = createChannels({ mailer, url, sealer });
  const alerts = createOperatorAlerts({
    ways: operatorChannelsOf({
      delivery: { channels, mailer, url },
      email: "operator@example.net",
      webhook: new Secret(`http://127.0.0.1:${receiver.port}/hook`),
      egress: createEgress({ mode: "private", resolver: createResolver() }),
      clock,
    }),
    host: "watch-1",
    url,
    timeZone: "+00:00",
    ids: createIds(),
    clock,
    log: silentLog,
    meter: noMeter,
  });
  const stopping = new AbortController();
  const running = alerts.run(stopping.signal);
  const until = (what: string, look: () => boolean) =>
    stepUntil(what, async () => {
      await clock.advance(1000);
      return look();
    });
  return {
    alerts,
    clock,
    smtp,
    received,
    until,
    answer: (code: number) => void (status = code),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      mailer.close();
      await smtp[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

function problemAt(since: number): OpenServiceProblem {
  return { name: "location", subject: "ld", found: "it was last seen 61 s ago", since };
}

test("the operator is alerted by mail and by webhook that a problem began and ended", async () => {
  await using site = await startAlerts();
  const { alerts, clock, smtp, received, until } = site;
  const problem = problemAt(clock.now());
  alerts.opened(problem);
  await until("both messages", () => smtp.mails.length === 1 && received.length === 1);
  assert.match(String(smtp.mails[0]?.raw), /DOWN: Watchpost location ld/);
  assert.match(String(smtp.mails[0]?.raw), /it was last seen 61 s ago/);
  assert.match(String(received[0]?.text), /"Watchpost location ld"/);
  alerts.ended(problem);
  await until("both ends", () => smtp.mails.length === 2 && received.length === 2);
  assert.match(String(smtp.mails[1]?.raw), /UP: Watchpost location ld/);
});

test("the end of a problem that another process alerted of sends nothing", async () => {
  await using site = await startAlerts();
  const { alerts, clock, smtp, received, until } = site;
  alerts.ended(problemAt(clock.now()));
  alerts.opened({ ...problemAt(clock.now()), subject: "ny" });
  await until("the other problem", () => smtp.mails.length === 1 && received.length === 1);
  assert.match(String(smtp.mails[0]?.raw), /DOWN: Watchpost location ny/);
});

test("a way that is dead delays no other, and gets everything in order once it is back", async () => {
  await using site = await startAlerts();
  const { alerts, clock, smtp, received, until } = site;
  site.answer(503);
  const problem = problemAt(clock.now());
  alerts.opened(problem);
  alerts.ended(problem);
  await until("the mails", () => smtp.mails.length === 2);
  assert.deepEqual(received, []);
  site.answer(200);
  await until("the webhooks", () => received.length === 2);
  const [first, second] = received.map(
    ({ text }) => /"event":"(\w+)"|"type":"([\w.]+)"/.exec(text)?.[0],
  );
  assert.notEqual(first, second);
});
