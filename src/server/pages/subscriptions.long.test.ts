import assert from "node:assert/strict";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import { pendingMs } from "../../domain/status/subscriber.ts";
import { createApiFixture } from "../../../test/api-fixture.ts";
import { httpServer } from "../../../test/harnesses/http-server.ts";
import { subscriberHarness, type ParsedMail } from "../../../test/harnesses/subscriber-harness.ts";
import { minute } from "../../../test/record-builders.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Creates Alice's page and the sender of messages to its subscribers. */
async function withPage(settings: object = {}) {
  const fixture = await createApiFixture({ mails: true });
  const { body: page } = await fixture.ask(fixture.alice, "POST /statuspages", {
    name: "Shop",
    slug: "shop",
    ...settings,
  });
  const harness = await subscriberHarness(fixture);
  const sending = harness.start();
  const server = httpServer({ deps: fixture.deps });
  let listening: Promise<string> | undefined;
  const pathOf = (link: string): string => link.replace("http://watchpost.example", "");
  const post = (link: string, parameters: Record<string, string> = {}, client = "10.0.0.1") =>
    server.inject({
      method: "POST",
      url: pathOf(link),
      headers: FORM,
      payload: new URLSearchParams(parameters).toString(),
      remoteAddress: client,
    });
  return {
    fixture,
    harness,
    sending,
    page,
    /** Over a connection, for what looks at the host comes before all routes. */
    at: async (link: string, method: "GET" | "POST") => {
      listening ??= server.listen({ port: 0, host: "127.0.0.1" });
      const { host, pathname, search } = new URL(link);
      const sent = request(await listening, {
        method,
        path: `${pathname}${search}`,
        headers: { host, ...FORM },
        agent: false,
      });
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      sent.on("response", resolve).on("error", reject).end();
      return text(await promise);
    },
    get: (link: string) => server.inject({ url: pathOf(link) }),
    post,
    subscribe: (email: string, client?: string) =>
      post("/status/shop/subscribe", { email }, client),
    counts: () =>
      fixture.store.subscribers.counts({ accountId: fixture.alice.account.id, pageId: page._id }),
    async [Symbol.asyncDispose]() {
      await server.close();
      await harness[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

function linkIn(mail: ParsedMail | undefined, purpose: "confirm" | "stop"): string {
  const links = mail?.text.match(/http\S+/g) ?? [];
  const found = links.find((link) => link.includes(`for=${purpose}`));
  assert.ok(found, mail?.text ?? "no mail");
  return found;
}

test("the pages for subscribers look as their status page does: its logo, color and footer", async () => {
  const logo =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await using site = await withPage({ logo, color: "#a21caf", footer: "The **Shop** Ltd" });
  const { harness, get, post, subscribe } = site;
  const form = await get("/status/shop/subscribe");
  const refused = await subscribe("no mailbox");
  const answer = await subscribe("ann@example.net");
  const [asked] = await harness.mailsAfter(1000, 1);
  const confirm = linkIn(asked, "confirm");
  const agreed = await get(confirm);
  const confirmed = await post(confirm);
  const stopped = await post(confirm.replace("for=confirm", "for=stop"));
  for (const page of [form, refused, answer, agreed, confirmed]) {
    assert.ok(page.body.includes(`<img src="${logo}"`), page.body);
    assert.match(page.body, /body\{border-top:\.4rem solid #a21caf\}/);
    assert.match(page.body, /The <strong>Shop<\/strong> Ltd/);
    assert.match(String(page.headers["content-security-policy"]), /img-src data:;/);
  }
  // A link that is not ours shows whose page it is not.
  assert.equal(stopped.statusCode, 404);
  assert.doesNotMatch(stopped.body, /<img|#a21caf|Ltd/);
});

// guard: subscription by POST alone
test("who subscribes is mailed a link, confirms by a button, is sent every update, and ends it with one click", async () => {
  await using site = await withPage();
  const { fixture, harness, subscribe, get, post, counts } = site;
  const { ask, alice } = fixture;
  assert.match((await get("/status/shop")).body, /href="\/status\/shop\/subscribe"/);
  const form = await get("/status/shop/subscribe");
  assert.match(form.body, /name="email"/);
  assert.match(String(form.headers["content-security-policy"]), /form-action 'self'/);
  const answer = await subscribe("ann@example.net");
  assert.equal(answer.statusCode, 200);
  const [asked] = await harness.mailsAfter(1000, 1);
  assert.equal(asked?.to, "ann@example.net");
  assert.equal(asked.headers.get("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
  assert.match(asked.text, /Somebody asked for updates of Shop to be sent to ann@example\.net/);

  const link = linkIn(asked, "confirm");
  for (let count = 0; count < 2; count += 1)
    assert.match((await get(link)).body, /<button type="submit">Send me updates/);
  assert.equal((await counts()).confirmed, 0);
  assert.match((await post(link)).body, /Updates of Shop are sent to ann@example\.net/);
  assert.equal((await counts()).confirmed, 1);

  const text = "We **look**. <b>See</b> [this](https://example.com/x)";
  const { body } = await ask(alice, "POST /incidents", { name: "Payments fail", text });
  await fixture.clock.advance(20_000);
  await ask(alice, `PUT /incidents/${body._id}`, { stage: "identified", text: "It is theirs." });
  const [, update] = await harness.mailsAfter(minute, 2);
  assert.equal(update?.headers.get("subject"), "[Shop] Identified: Payments fail");
  assert.match(update.text, /Investigating, .*We \*\*look\*\*.*Identified, .*It is theirs\./s);
  assert.match(update.raw, /<strong>look<\/strong>/);
  assert.match(update.raw, /&lt;b&gt;See/);
  const oneClick = (update.headers.get("list-unsubscribe") ?? "").slice(1, -1);
  assert.equal(oneClick, linkIn(update, "stop"));

  await ask(alice, `PUT /incidents/${body._id}`, { stage: "resolved" });
  const [, , over] = await harness.mailsAfter(minute + 1000, 3);
  assert.equal(over?.headers.get("subject"), "[Shop] Resolved: Payments fail");
  assert.equal(over.headers.get("references"), update.headers.get("references"));
  assert.ok(over.headers.get("in-reply-to"));
  assert.notEqual(over.headers.get("message-id"), update.headers.get("message-id"));

  assert.match((await get(oneClick)).body, /Send no more mails/);
  assert.equal((await counts()).confirmed, 1);
  const stopped = await post(oneClick, { "List-Unsubscribe": "One-Click" });
  assert.match(stopped.body, /No updates of Shop are sent to you any more/);
  assert.equal((await counts()).confirmed, 0);
  assert.equal((await get(link)).statusCode, 410);
  assert.equal((await post(link)).statusCode, 410);
  await subscribe("Ann+again@example.net");
  await ask(alice, "POST /incidents", { name: "Another" });
  await fixture.clock.advance(3 * minute);
  assert.equal(harness.server.mails.length, 3);
  assert.equal((await post(oneClick, { email: "ben@example.net" })).statusCode, 400);
  assert.match((await post(oneClick, { email: "ann@example.net" })).body, /are sent to ann@/);
  assert.equal((await counts()).confirmed, 1);
});

// guard: one request to a mailbox
test("the answer to a subscription tells nobody who subscribes, and nobody is asked twice", async () => {
  await using site = await withPage();
  const { harness, subscribe, post, counts, fixture } = site;
  const first = await subscribe("ann@example.net");
  const [asked] = await harness.mailsAfter(1000, 1);
  const again = await subscribe("ann@example.net");
  await fixture.clock.advance(minute);
  assert.equal(fixture.store.count("page_messages"), 0);
  await post(linkIn(asked, "confirm"));
  const confirmed = await subscribe("ANN@example.net");
  await post(linkIn(asked, "stop"));
  const ended = await subscribe("ann@example.net");
  for (const other of [again, confirmed, ended]) {
    assert.equal(other.statusCode, first.statusCode);
    assert.equal(other.body, first.body);
  }
  await subscribe("ben@example.net");
  await harness.mailsAfter(1000, 2);
  await site.sending.stop();
  await fixture.clock.advance(pendingMs);
  await fixture.store.runHousekeeping();
  assert.deepEqual(await counts(), { pending: 0, confirmed: 0, webhooks: 0 });
  harness.start();
  await subscribe("ben@example.net");
  await fixture.clock.advance(minute);
  assert.deepEqual(
    harness.server.mails.map(({ to }) => to.join()),
    ["ann@example.net", "ben@example.net"],
  );
});

// guard: rate of subscriptions
test("what is no mailbox is refused, and a flood from one address ends soon, whatever it names", async () => {
  await using site = await withPage();
  const { subscribe, counts, fixture } = site;
  const evil = [
    "",
    "ann",
    "ann@example.net\r\nBcc: all@example.net",
    "ann@example.net, ben@example.net",
    '"ann b"@example.net',
    "<ann@example.net>",
    `${"a".repeat(250)}@example.net`,
    "ann@exa\u0000mple.net",
  ];
  for (const [index, email] of evil.entries()) {
    const { statusCode, body } = await subscribe(email, `10.1.0.${index}`);
    assert.equal(statusCode, 400, email);
    assert.match(body, /This is no mail address/);
  }
  for (let count = 0; count < 30; count += 1) await subscribe(`reader${count}@example.net`);
  assert.equal((await counts()).pending, 20);
  assert.equal((await subscribe("late@example.net")).statusCode, 429);
  await fixture.clock.advance(60 * minute);
  assert.equal((await subscribe("late@example.net")).statusCode, 200);
});

// guard: budget of requests to strangers
test("a flood from everywhere ends with the account's own budget of strangers, and leaves it its passwords", async () => {
  await using site = await withPage();
  const { subscribe, counts, fixture } = site;
  const { store, clock, alice, deps } = fixture;
  const { perAccount } = deps.mailLimits;
  const spend = { accountId: `subscribers of ${alice.account.id}`, limits: deps.mailLimits };
  await store.write(async ({ mailBudget }) => {
    for (let count = 0; count < perAccount; count += 1)
      await mailBudget.take({ ...spend, mailbox: `m${count}@example.net`, at: clock.now() });
  });
  assert.equal((await subscribe("ann@example.net")).statusCode, 429);
  assert.equal((await counts()).pending, 0);
  const mail = { mailbox: "ann@example.net", at: clock.now(), limits: deps.mailLimits };
  assert.equal(await store.mailBudget.spent({ ...mail, accountId: alice.account.id }), undefined);
});

for (const [what, addressOf, domainOf] of [
  ["different ones", (index: number) => `10.${index}.0.1`, (index: number) => `d${index}.example`],
  ["those of a common domain", (index: number) => `10.${index}.0.1`, () => "example.net"],
  ["those of one /56", (index: number) => `2001:db8:7:${index}::1`, () => "example.net"],
] as const)
  // guard: shares of requests to strangers
  test(`25 addresses leave requests of the day to others, whatever mailboxes they name: ${what}`, async () => {
    await using site = await withPage();
    const { subscribe, fixture, counts } = site;
    const ask = async (index: number, count: number): Promise<number> =>
      (await subscribe(`m${index}.${count}@${domainOf(index)}`, addressOf(index))).statusCode;
    for (let hour = 0; hour < 2; hour += 1) {
      for (let count = 0; count < 20; count += 1)
        await Promise.all(Array.from({ length: 25 }, (_, index) => ask(index, 100 * hour + count)));
      await fixture.clock.advance(60 * minute);
    }
    const before = (await counts()).pending;
    assert.ok(before < 500, `${before} requests`);
    assert.equal((await subscribe("ann@example.net", "192.0.2.1")).statusCode, 200);
    assert.equal((await counts()).pending, before + 1);
  });

// guard: proof of a subscriber's link
test("a link that is not ours, or for another purpose or subscriber, does nothing and tells nothing", async () => {
  await using site = await withPage();
  const { harness, subscribe, post, get, counts } = site;
  await subscribe("ann@example.net");
  await subscribe("ben@example.net");
  const mails = await harness.mailsAfter(1000, 2);
  const [ann = "", ben = ""] = mails.map((mail) => linkIn(mail, "confirm"));
  const proofOf = (link: string) => new URL(link).searchParams.get("proof") ?? "";
  const never = ann.replace(/subscriber=\w+/, "subscriber=AAAAAAAAAAAAAAAA");
  const bad = [
    ann.replace(proofOf(ann), proofOf(ben)),
    ann.replace("for=confirm", "for=stop"),
    ann.replace("for=confirm", "for=other"),
    ann.replace(/&proof=.*/, ""),
    ann.replace(/\?.*/, ""),
    never,
  ];
  const answers = [];
  for (const link of bad) answers.push(await get(link), await post(link));
  for (const { statusCode, body } of answers) {
    assert.equal(statusCode, 404);
    assert.equal(body, answers[0]?.body);
  }
  assert.deepEqual(await counts(), { pending: 2, confirmed: 0, webhooks: 0 });
});

test("only who may see a page subscribes to it, and its own domain has it too", async () => {
  await using site = await withPage({ access: "password", password: "correct horse" });
  const { fixture, harness, subscribe, page, counts, post, at } = site;
  assert.equal((await subscribe("ann@example.net")).statusCode, 403);
  assert.equal((await counts()).pending, 0);
  const { ask, alice } = fixture;
  await ask(alice, `PUT /statuspages/${page._id}`, { access: "signedin" });
  assert.equal((await subscribe("ann@example.net")).statusCode, 403);
  await ask(alice, `PUT /statuspages/${page._id}`, {
    access: "public",
    domain: "shop.status.example",
    language: "de",
  });
  await post(`/reports/status/${page._id}/subscribe`, { email: "ann@example.net" });
  const [asked] = await harness.mailsAfter(1000, 1);
  const link = linkIn(asked, "confirm");
  assert.match(link, /^http:\/\/shop\.status\.example\/subscriptions\?/);
  assert.match(await at(link, "GET"), /Neuigkeiten zusenden/);
  assert.match(await at(link, "POST"), /Neuigkeiten von Shop gehen an ann@example\.net/);
  assert.equal((await counts()).confirmed, 1);
  assert.match(
    asked?.text ?? "",
    /Jemand hat für ann@example\.net Neuigkeiten von Shop angefordert/,
  );
});

test("a page without the form takes nobody, and mails those that it has", async () => {
  await using site = await withPage();
  const { fixture, harness, subscribe, get, post, counts, page } = site;
  const { ask, alice } = fixture;
  await subscribe("ann@example.net");
  const [asked] = await harness.mailsAfter(1000, 1);
  await post(linkIn(asked, "confirm"));
  await ask(alice, `PUT /statuspages/${page._id}`, { subscribe: false });
  assert.doesNotMatch((await get("/status/shop")).body, /subscribe/);
  assert.equal((await get("/status/shop/subscribe")).statusCode, 404);
  const refused = await subscribe("ben@example.net");
  assert.deepEqual(
    [refused.statusCode, refused.body],
    [404, (await post("/status/nobody/subscribe")).body],
  );
  assert.deepEqual(await counts(), { pending: 0, confirmed: 1, webhooks: 0 });
  const { body } = await ask(alice, "POST /incidents", { name: "Payments fail", text: "secret" });
  await ask(alice, `PUT /incidents/${body._id}`, { stage: "identified" });
  await ask(alice, `PUT /incidents/${body._id}`, { update: 0, delete: true });
  const [, update] = await harness.mailsAfter(minute + 1000, 2);
  assert.equal(update?.headers.get("subject"), "[Shop] Identified: Payments fail");
  assert.doesNotMatch(update.text, /secret|Investigating/);
});

// guard: names of pages to strangers
test("a page whose name is a message or a link to people who do not know it says only where it is", async () => {
  await using site = await withPage({ name: "Cheap pills at https://evil.example" });
  await site.subscribe("ann@example.net");
  const [asked] = await site.harness.mailsAfter(1000, 1);
  assert.doesNotMatch(asked?.raw ?? "", /evil|pills/);
});
