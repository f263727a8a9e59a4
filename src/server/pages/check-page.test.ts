import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { httpServer } from "../../../test/harnesses/http-server.ts";
import { aCheck, aContact, anAddress, aResult, minute } from "../../../test/record-builders.ts";
import { sampleAlert, sampleNotice } from "../../../test/sample-alert.ts";
import { createPageLinks, pagePath } from "../../channels/page-links.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { recordFlip } from "../../store/transactions/record-flip.ts";
import { createCheckPage } from "../../web/check-page.ts";

const url = "https://watch.example.org/";
const sealer = createSealer(new Uint8Array(32));
const day = 86_400_000;

/** Creates Alice's failing check, another check, and the link of its alert to Ann. */
async function withOutage() {
  const fixture = await createApiFixture();
  const { store, clock, alice } = fixture;
  const accountId = alice.account.id;
  const address = anAddress("mail");
  const evil = "<script>alert(1)</script>";
  const check = await store.write(async (tx) => {
    await tx.contacts.insert(aContact("ann", { accountId, addresses: [address] }));
    await tx.checks.insert(aCheck("other", { accountId, label: "secret neighbour" }));
    return tx.checks.insert(aCheck("down", { accountId, label: `Shop ${evil}` }));
  });
  const at = clock.now();
  const result = aResult(check.no, at, { endedAt: at, passed: false, message: evil });
  let serial = 0;
  const flip = {
    check,
    from: undefined,
    to: "failing",
    result,
    since: at,
    confirmations: [],
    observation: { evidence: `HTTP/1.1 503 ${evil}` },
  } as const;
  await store.write((tx) =>
    recordFlip(tx, flip, { alert: () => `id-${String((serial += 1)).padStart(4, "0")}` }),
  );
  await clock.advance(minute);
  const pageLinks = createPageLinks({ sealer, url, days: 30 });
  const alert = sampleAlert("down", {
    accountId,
    checkId: check.id,
    contactId: "ann",
    createdAt: at,
    notice: sampleNotice("down", { since: at }),
  });
  const { pathname, search } = new URL(pageLinks.linkOf(alert, address) ?? "");
  const server = httpServer({
    deps: fixture.deps,
    linkPages: {
      [pagePath]: createCheckPage({ store, pageLinks, clock }),
    },
  });
  return {
    fixture,
    check,
    path: pathname + search,
    open: (path: string, method: "GET" | "POST" = "GET") => server.inject({ method, url: path }),
  };
}

test("the link of an alert shows its check without a token: state, results, uptime and evidence, of that one only", async () => {
  const { fixture, path, open } = await withOutage();
  await using _ = fixture;
  const { statusCode, headers, body } = await open(path);
  assert.equal(statusCode, 200);
  for (const part of [
    "▼ DOWN",
    "Shop &lt;script&gt;",
    "HTTP/1.1 503 &lt;script&gt;",
    "Recent results",
    "Uptime, 30 days",
    "Went down",
  ])
    assert.ok(body.includes(part), part);
  assert.doesNotMatch(body, /<script|secret neighbour|acknowledge|proof/);
  assert.equal(headers["x-robots-tag"], "noindex, nofollow");
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.equal(headers["cache-control"], "no-store");
  assert.match(String(headers["content-security-policy"]), /script-src 'none'/);
});

test("neither following the link nor posting to it changes anything", async () => {
  const { fixture, path, open, check } = await withOutage();
  await using _ = fixture;
  const before = await fixture.store.checks.find(check.accountId, check.id);
  assert.equal((await open(path, "POST")).statusCode, 200);
  assert.deepEqual(await fixture.store.checks.find(check.accountId, check.id), before);
});

for (const { name, change } of [
  { name: "another check", change: (path: string) => path.replace("check=down", "check=other") },
  { name: "a later end", change: (path: string) => path.replace(/until=\d/, "until=9") },
  { name: "another instant", change: (path: string) => path.replace(/at=\d/, "at=9") },
  { name: "no end", change: (path: string) => path.replace(/&until=\d+/, "") },
  { name: "no check", change: (path: string) => path.replace(/check=down&/, "") },
]) {
  test(`a link that was changed to ${name} shows nothing`, async () => {
    const { fixture, path, open } = await withOutage();
    await using _ = fixture;
    assert.notEqual(change(path), path);
    const { statusCode, body } = await open(change(path));
    assert.equal(statusCode, 404);
    assert.doesNotMatch(body, /Shop|neighbour/);
  });
}

test("a link ends with its days, with its address and with its check", async () => {
  const { fixture, path, open, check } = await withOutage();
  await using _ = fixture;
  const { store, clock } = fixture;
  const contact = await store.contacts.find(check.accountId, "ann");
  assert.ok(contact !== undefined);
  await store.write((tx) =>
    tx.contacts.update({
      ...contact,
      addresses: [anAddress("mail", { address: "new@example.net" })],
    }),
  );
  assert.equal((await open(path)).statusCode, 404);
  await store.write((tx) => tx.contacts.update(contact));
  assert.equal((await open(path)).statusCode, 200);
  await clock.advance(30 * day);
  assert.equal((await open(path)).statusCode, 410);
});

test("a link ends with its check", async () => {
  const { fixture, path, open, check } = await withOutage();
  await using _ = fixture;
  await fixture.store.write((tx) =>
    tx.checks.remove(check.accountId, check.id, fixture.clock.now()),
  );
  assert.equal((await open(path)).statusCode, 404);
});
