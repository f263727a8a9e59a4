import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { FastifyInstance } from "fastify";

import { createApiFixture, type ApiFixture } from "../../../test/api-fixture.ts";
import { httpServer } from "../../../test/harnesses/http-server.ts";
import { sendLateWelcome } from "../../api/welcome.ts";
import { confirmableMs, confirmPath, createConfirmLinks } from "../../channels/mail/confirm.ts";
import { createUnsubscribeLinks, unsubscribePath } from "../../channels/mail/unsubscribe.ts";
import type { SystemMail } from "../../domain/system-mail.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { createConfirmPage } from "../../web/confirm.ts";
import { createUnsubscribePage } from "../../web/unsubscribe.ts";

const installation = {
  sealer: createSealer(new Uint8Array(32)),
  url: "https://watch.example.org",
};
const confirming = createConfirmLinks(installation);
const unsubscribing = createUnsubscribeLinks(installation);

function serverOf({ deps }: ApiFixture): FastifyInstance {
  return httpServer({
    deps,
    linkPages: {
      [unsubscribePath]: createUnsubscribePage({ ...deps, unsubscribing }),
      [confirmPath]: createConfirmPage({
        ...deps,
        confirming,
        welcome: (contact) => sendLateWelcome(deps, contact),
      }),
    },
  });
}

/** Alice's contact with a mailbox that nobody has confirmed. */
async function withAnn(cast: ApiFixture, custrole = "notify") {
  const { status, body } = await cast.ask(cast.alice, "POST /contacts", {
    name: "Ann",
    custrole,
    newaddresses: [{ address: "ann@example.net", type: "email" }],
  });
  assert.equal(status, 200);
  const [addressId = ""] = Object.keys(body.addresses);
  const subscriber = {
    accountId: cast.alice.account.id,
    contactId: String(body._id),
    addressId,
    mailbox: "ann@example.net",
  };
  const { pathname, search } = new URL(
    confirming.linkOf(subscriber, cast.clock.now() + confirmableMs),
  );
  return { path: pathname + search, subscriber, written: body };
}

async function confirmedIn(cast: ApiFixture, contactId: string): Promise<readonly unknown[]> {
  const { body } = await cast.ask(cast.alice, `GET /contacts/${contactId}`);
  return Object.values<Record<string, unknown>>(body.addresses).map(({ confirmed }) => confirmed);
}

/** The mails that wait to be sent. */
async function mailsOf(cast: ApiFixture): Promise<readonly SystemMail[]> {
  const found: SystemMail[] = [];
  for (;;) {
    const mail = await cast.store.write(({ systemMails }) => systemMails.claim({ leaseMs: 1 }));
    if (mail === undefined) return found;
    found.push(mail);
    await cast.store.write(({ systemMails }) => systemMails.remove(mail.id));
  }
}

suite("the link by which the owner of a mailbox agrees to alerts", () => {
  // guard: changes by POST alone
  test("asks first, and confirms that mailbox alone by a POST, as often as it is followed", async () => {
    await using cast = await createApiFixture({ mails: true, confirming: true });
    await using server = serverOf(cast);
    const { path, subscriber } = await withAnn(cast);
    const asked = await server.inject({ url: path });
    assert.equal(asked.statusCode, 200);
    assert.match(asked.body, /to ann@example\.net\. None .*<form method="post">/);
    assert.match(String(asked.headers["content-security-policy"]), /form-action 'self'/);
    assert.match(String(asked.headers["content-security-policy"]), /frame-ancestors 'none'/);
    // A mail scanner that follows links must not confirm.
    await server.inject({ method: "HEAD", url: path });
    assert.deepEqual(await confirmedIn(cast, subscriber.contactId), [false]);
    const both = await Promise.all(
      [1, 2].map(() => server.inject({ method: "POST", url: path, payload: "" })),
    );
    for (const { statusCode, body } of [...both, await server.inject({ url: path })]) {
      assert.equal(statusCode, 200);
      assert.match(body, /Alerts go to ann@example\.net\./);
      assert.doesNotMatch(body, /<form/);
    }
    assert.deepEqual(await confirmedIn(cast, subscriber.contactId), [true]);
  });

  // guard: keys of links
  test("is nothing where a letter of it is another, where it is for another purpose or account, or the address is gone", async () => {
    await using cast = await createApiFixture({ mails: true, confirming: true });
    await using server = serverOf(cast);
    const { path, subscriber } = await withAnn(cast);
    const stop = new URL(unsubscribing.linkOf(subscriber));
    const changed = [
      path.replace(/proof=./, (start) => (start.endsWith("_") ? "proof=-" : "proof=_")),
      path.replace(/&proof=.*/, ""),
      path.replace(/until=\d/, "until=9"),
      path.replace(/until=\d+&/, ""),
      path.replace(`account=${subscriber.accountId}`, `account=${cast.carol.account.id}`),
      confirmPath + stop.search,
      path.replace(confirmPath, unsubscribePath),
      confirmPath,
    ];
    for (const url of changed)
      for (const method of ["GET", "POST"] as const) {
        const { statusCode, body } = await server.inject({ method, url });
        assert.deepEqual([statusCode, body.includes("@")], [404, false], url);
      }
    assert.deepEqual(await confirmedIn(cast, subscriber.contactId), [false]);
    await cast.ask(cast.alice, `DELETE /contacts/${subscriber.contactId}`);
    assert.equal((await server.inject({ method: "POST", url: path })).statusCode, 404);
  });

  test("is in the audit log, and so is an unsubscription", async () => {
    await using cast = await createApiFixture({ mails: true, confirming: true });
    await using server = serverOf(cast);
    const { path, subscriber } = await withAnn(cast);
    const { pathname, search } = new URL(unsubscribing.linkOf(subscriber));
    const stop = pathname + search;
    for (const each of [path, path, stop, stop])
      assert.equal((await server.inject({ method: "POST", url: each })).statusCode, 200);
    const [stopped, agreed, created] = (await cast.ask(cast.alice, "GET /audit")).body;
    const { contactId, addressId, mailbox } = subscriber;
    const { number: _, at: _at, ...entry } = agreed;
    assert.deepEqual(entry, {
      by: "link",
      actor: addressId,
      name: mailbox,
      contact: contactId,
      from: "127.0.0.1",
      operation: "PUT contacts",
      record: contactId,
      fields: ["confirmed"],
    });
    assert.deepEqual([stopped.by, stopped.fields], ["link", ["suppressall"]]);
    assert.equal(created.operation, "POST contacts");
  });

  // guard: end of a link
  test("ends after two weeks, and says how to get another", async () => {
    await using cast = await createApiFixture({ mails: true, confirming: true });
    await using server = serverOf(cast);
    const { path, subscriber } = await withAnn(cast);
    await cast.clock.advance(confirmableMs);
    for (const method of ["GET", "POST"] as const) {
      const { statusCode, body } = await server.inject({ method, url: path });
      assert.equal(statusCode, 410);
      assert.match(body, /has expired/);
    }
    assert.deepEqual(await confirmedIn(cast, subscriber.contactId), [false]);
  });

  // guard: confirmation of a changed mailbox
  test("is not one to the mailbox that came in the place of the one it was sent to, which is asked anew", async () => {
    await using cast = await createApiFixture({ mails: true, confirming: true });
    await using server = serverOf(cast);
    const { path, subscriber } = await withAnn(cast);
    await server.inject({ method: "POST", url: path });
    await mailsOf(cast);
    const change = (address: string) =>
      cast.ask(cast.alice, `PUT /contacts/${subscriber.contactId}`, {
        addresses: { [subscriber.addressId]: { address, confirmed: true } },
      });
    const { body } = await change("victim@example.net");
    assert.match(String(body.warning), /^no alerts go to victim@example\.net until confirmed/);
    assert.equal((await server.inject({ method: "POST", url: path })).statusCode, 404);
    assert.deepEqual(await confirmedIn(cast, subscriber.contactId), [false]);
    // Writing back an unchanged address asks for no new confirmation.
    assert.equal((await change("victim@example.net")).body.warning, undefined);
    assert.deepEqual(
      (await mailsOf(cast)).map(({ kind, to }) => [kind, to]),
      [["confirmation", "victim@example.net"]],
    );
  });

  test("confirms while the mailbox is unsubscribed, and each of both lasts", async () => {
    await using cast = await createApiFixture({ mails: true, confirming: true });
    await using server = serverOf(cast);
    const { path, subscriber } = await withAnn(cast);
    const stop = new URL(unsubscribing.linkOf(subscriber));
    await Promise.all(
      [path, stop.pathname + stop.search].map((url) => server.inject({ method: "POST", url })),
    );
    const { body } = await cast.ask(cast.alice, `GET /contacts/${subscriber.contactId}`);
    const { confirmed, suppressall } = body.addresses[subscriber.addressId];
    assert.deepEqual([confirmed, suppressall], [true, true]);
  });

  // guard: passwords to confirmed mailboxes
  test("is followed by the welcome that waited for it, once", async () => {
    await using cast = await createApiFixture({ mails: true, confirming: true });
    await using server = serverOf(cast);
    const { path, subscriber, written } = await withAnn(cast, "edit");
    assert.match(String(written.warning), /; no welcome was mailed: ann@example\.net gets it/);
    assert.deepEqual(
      (await mailsOf(cast)).map(({ kind }) => kind),
      ["confirmation"],
    );
    const reset = await cast.ask(
      cast.alice,
      `GET /contacts/${subscriber.contactId}?action=RESETPASSWORD`,
    );
    assert.equal(reset.status, 400);
    assert.match(String(reset.body.error), /^id: ann@example\.net is not confirmed yet/);
    for (let click = 0; click < 2; click += 1) await server.inject({ method: "POST", url: path });
    assert.deepEqual(
      (await mailsOf(cast)).map(({ kind, to }) => [kind, to]),
      [["welcome", "ann@example.net"]],
    );
  });
});

test("a new mailbox is asked once, whoever adds it is warned, and phones and webhooks are not asked", async () => {
  await using cast = await createApiFixture({ mails: true, confirming: true });
  const { written, subscriber } = await withAnn(cast);
  assert.match(
    String(written.warning),
    /^no alerts go to ann@example\.net until confirmed by the link that was mailed there$/,
  );
  const { body } = await cast.ask(cast.alice, `PUT /contacts/${subscriber.contactId}`, {
    newaddresses: [{ address: "https://hooks.example.net/", type: "webhook" }],
  });
  assert.equal(body.warning, undefined);
  const hook = Object.values<Record<string, unknown>>(body.addresses).find(
    ({ type }) => type === "webhook",
  );
  assert.equal(hook?.confirmed, undefined);
  const mails = await mailsOf(cast);
  assert.deepEqual(
    mails.map(({ kind, to }) => [kind, to]),
    [["confirmation", "ann@example.net"]],
  );
});

test("the first contact of a subaccount is asked before it gets its password", async () => {
  await using cast = await createApiFixture({ mails: true, confirming: true });
  const { body } = await cast.ask(cast.alice, "POST /accounts", {
    name: "Ltd",
    contactname: "Ann",
    email: "ann@example.net",
    timezone: "0",
    location: "eur",
  });
  assert.match(String(body.warning), /^no alerts go to ann@example\.net .*; no welcome was mailed/);
  assert.deepEqual(
    (await mailsOf(cast)).map(({ kind }) => kind),
    ["confirmation"],
  );
});

test("a mailbox is asked no more often than it may be mailed, whichever account asks", async () => {
  await using cast = await createApiFixture({ mails: true, confirming: true });
  const add = (who: ApiFixture["alice"]) =>
    cast.ask(who, "POST /contacts", {
      custrole: "notify",
      newaddresses: [{ address: "victim@example.net", type: "email" }],
    });
  for (let asked = 0; asked < 3; asked += 1) await add(cast.alice);
  for (let asked = 0; asked < 2; asked += 1) await add(cast.carol);
  const { status, body } = await add(cast.carol);
  assert.equal(status, 200);
  assert.match(
    String(body.warning),
    /victim@example\.net was not asked to: the mailbox was sent all .*; a test of the contact asks again$/,
  );
  assert.equal((await mailsOf(cast)).length, 5);
});

test("where nobody is asked, addresses are as they were", async () => {
  await using cast = await createApiFixture({ mails: true });
  const { written } = await withAnn(cast);
  assert.equal(written.warning, undefined);
  assert.deepEqual(await mailsOf(cast), []);
  assert.deepEqual(await confirmedIn(cast, String(written._id)), [undefined]);
});
