import assert from "node:assert/strict";
import { after, test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { failingCheck } from "../../../test/failing-check.ts";
import { aResult } from "../../../test/record-builders.ts";
import { sampleAlert } from "../../../test/sample-alert.ts";
import { httpServer } from "../../../test/harnesses/http-server.ts";
import { acknowledgePath, createAcknowledgeLinks } from "../../channels/acknowledge-links.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import type { Alert } from "../../domain/alert/alert.ts";
import { createAcknowledgePage } from "../../web/acknowledge.ts";
import { recordFlip } from "../../store/transactions/record-flip.ts";

const cast = await createApiFixture();
after(() => cast[Symbol.asyncDispose]());
const { alice, store, clock } = cast;
const acknowledging = createAcknowledgeLinks({
  sealer: createSealer(new Uint8Array(32)),
  url: "https://watch.example.org",
});
const server = httpServer({
  deps: cast.deps,
  linkPages: {
    [acknowledgePath]: createAcknowledgePage({ ...cast.deps, acknowledging, wake() {} }),
  },
});

/** The alert of a check that is down, and the path of its link. */
async function linkOf({ id }: { readonly id: string }) {
  const found = await store.checks.find(alice.account.id, id);
  const alert = sampleAlert("first", {
    accountId: alice.account.id,
    checkId: id,
    outage: found?.state.outage,
    contactId: alice.contact.id,
    addressId: alice.contact.addresses[0]?.id ?? "",
  });
  return { alert, path: pathOf(alert) };
}

function pathOf(alert: Alert, address = "alice@example.com"): string {
  const { pathname, search } = new URL(acknowledging.linkOf(alert, { address }) ?? "");
  return pathname + search;
}

async function acknowledgedBy(checkId: string): Promise<string | undefined> {
  const found = await store.checks.find(alice.account.id, checkId);
  return found?.state.acknowledgement?.by;
}

// guard: changes by POST alone
test("following the link of an alert asks, and posting its form acknowledges the outage", async () => {
  const check = await failingCheck(cast, alice);
  const { path } = await linkOf(check);
  const asked = await server.inject({ method: "GET", url: path });
  assert.equal(asked.statusCode, 200);
  assert.match(asked.body, /<form method="post">.*name="by"/);
  assert.equal(await acknowledgedBy(check.id), undefined, "programs that read mails follow links");
  const done = await server.inject({
    method: "POST",
    url: path,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "by=Ann+%3CB%3E&note=a+disk",
  });
  const by = "Ann <B>, by the link in the alert to alice@example.com";
  assert.deepEqual([done.statusCode, await acknowledgedBy(check.id)], [200, by]);
  assert.match(
    done.body,
    /Acknowledged by Ann &lt;B&gt;, by the link in the alert to alice@example\.com: a disk/,
  );
  const later = await server.inject({ method: "GET", url: path });
  assert.match(later.body, /Acknowledged by Ann/);
});

test("a form without a name acknowledges for the contact, and of a long one the beginning is kept", async () => {
  const check = await failingCheck(cast, alice);
  const { path } = await linkOf(check);
  await server.inject({ method: "POST", url: path });
  const way = ", by the link in the alert to alice@example.com";
  assert.equal(await acknowledgedBy(check.id), `${alice.contact.name}${way}`);
  await server.inject({ method: "POST", url: path, payload: `by=${"x".repeat(9000)}` });
  assert.equal(await acknowledgedBy(check.id), `${"x".repeat(100)}${way}`);
});

// guard: proof of an acknowledgement
test("a link that was changed, or whose outage is over, acknowledges nothing", async () => {
  const check = await failingCheck(cast, alice);
  const other = await failingCheck(cast, alice);
  const { path, alert } = await linkOf(check);
  const changed = [
    path.replace(check.id, other.id),
    path.replace(/proof=./, "proof=!"),
    acknowledgePath,
  ];
  for (const url of changed) {
    const { statusCode } = await server.inject({ method: "POST", url });
    assert.equal(statusCode, 404);
  }
  await clock.advance(1000);
  const since = clock.now();
  const result = aResult(check.no, since, { passed: true, revision: check.revision });
  const flip = { check, from: "failing", to: "passing", result, since } as const;
  await store.write((tx) => recordFlip(tx, { ...flip, confirmations: [] }, cast.deps.ids));
  for (const method of ["GET", "POST"] as const) {
    const { body } = await server.inject({ method, url: pathOf(alert) });
    assert.match(body, /is up again: that outage is over/);
  }
  assert.deepEqual(
    [await acknowledgedBy(check.id), await acknowledgedBy(other.id)],
    [undefined, undefined],
  );
});

// guard: acknowledgements in the audit log
test("an acknowledgement by link is in the audit log with the recipient of the link, whatever name was given", async () => {
  const check = await failingCheck(cast, alice);
  const { path } = await linkOf(check);
  await server.inject({
    method: "POST",
    url: path,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "by=Bob+the+owner&note=mine",
  });
  const { body } = await cast.ask(alice, `GET /audit?record=${check.id}&by=link`);
  const [entry] = body;
  assert.deepEqual(
    [body.length, entry.operation, entry.actor, entry.name, entry.contact, entry.fields],
    [
      1,
      "ACKNOWLEDGE checks",
      alice.contact.addresses[0]?.id,
      "alice@example.com",
      alice.contact.id,
      ["by", "note"],
    ],
  );
});

// guard: names given with a link
test("the recipient of a webhook's link goes by the name of the contact, for its address is a credential", async () => {
  const { body } = await cast.ask(alice, "POST /contacts", {
    name: "Pager",
    newaddresses: [{ type: "webhook", address: "https://hooks.example.com/s3cr3t" }],
  });
  const check = await failingCheck(cast, alice);
  const { alert } = await linkOf(check);
  const [addressId = ""] = Object.keys(body.addresses);
  const toPager = { ...alert, contactId: body._id, addressId };
  await server.inject({
    method: "POST",
    url: pathOf(toPager, "https://hooks.example.com/s3cr3t"),
  });
  assert.equal(
    await acknowledgedBy(check.id),
    "Pager, by the link in the alert to Pager (webhook)",
  );
});

// guard: recipients of acknowledgements
test("the link to an address that leads elsewhere by now acknowledges nothing, and nobody there is said to have", async () => {
  const { body: contact } = await cast.ask(alice, "POST /contacts", {
    name: "Ann",
    newaddresses: [{ type: "email", address: "former@example.com" }],
  });
  const check = await failingCheck(cast, alice);
  const { alert } = await linkOf(check);
  const [addressId = ""] = Object.keys(contact.addresses);
  const toAnn = { ...alert, contactId: contact._id, addressId };
  const addresses = { [addressId]: { type: "email", address: "present@example.com" } };
  await cast.ask(alice, `PUT /contacts/${contact._id}`, { addresses });
  for (const method of ["GET", "POST"] as const) {
    const url = pathOf(toAnn, "former@example.com");
    assert.equal((await server.inject({ method, url })).statusCode, 404);
  }
  assert.equal(await acknowledgedBy(check.id), undefined);
  await server.inject({ method: "POST", url: pathOf(toAnn, "present@example.com") });
  assert.equal(
    await acknowledgedBy(check.id),
    "Ann, by the link in the alert to present@example.com",
  );
});

test("the link to an address that is gone acknowledges nothing", async () => {
  const { body } = await cast.ask(alice, "POST /contacts", {
    name: "Gone",
    newaddresses: [{ type: "email", address: "gone@example.com" }],
  });
  const check = await failingCheck(cast, alice);
  const { alert } = await linkOf(check);
  const [addressId = ""] = Object.keys(body.addresses);
  const url = pathOf({ ...alert, contactId: body._id, addressId }, "gone@example.com");
  assert.equal((await server.inject({ method: "GET", url })).statusCode, 200);
  await cast.ask(alice, `DELETE /contacts/${body._id}`);
  for (const method of ["GET", "POST"] as const)
    assert.equal((await server.inject({ method, url })).statusCode, 404);
  assert.equal(await acknowledgedBy(check.id), undefined);
});
