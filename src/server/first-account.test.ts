import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../test/time/fake-clock.ts";
import { tempStore } from "../../test/stores/temp-store.ts";
import { createIds } from "../kit/ids.ts";
import { hashToken } from "../kit/crypto/seal.ts";
import { Secret } from "../kit/crypto/secret.ts";
import { createFirstAccount } from "./first-account.ts";

const deps = { ids: createIds(), clock: fakeClock() };

// guard: one first account
test("the first start makes an account with its owner, its schedules, and a link, once, and no token unless one is given", async () => {
  await using store = await tempStore();
  const access = await createFirstAccount(
    store,
    {
      token: undefined,
      ownerEmail: "owner@example.net",
      timeZone: "Europe/Berlin",
      compatibility: "standard",
    },
    deps,
  );
  assert.deepEqual(Object.keys(access ?? {}), ["linkSecret"]);
  const { accountId = "" } =
    (await store.sessions.findLink(hashToken(access?.linkSecret ?? ""))) ?? {};
  const account = await store.accounts.find(accountId);
  assert.ok(account);
  assert.equal(store.count("tokens"), 0);
  assert.deepEqual(
    [account.parentId, account.status, account.defaultRegions, account.timeZone],
    [undefined, "active", ["wlw"], "Europe/Berlin"],
  );
  const [owner] = await store.contacts.list(account.id);
  assert.deepEqual(
    [owner?.role, owner?.addresses.map(({ kind, address }) => [kind, address])],
    ["owner", [["email", "owner@example.net"]]],
  );
  const link = await store.sessions.findLink(hashToken(access?.linkSecret ?? ""));
  assert.deepEqual([link?.accountId, link?.contactId], [account.id, owner?.id]);
  assert.deepEqual(
    (await store.schedules.list(account.id)).map(({ name }) => name),
    ["Days", "Nights", "Weekdays", "Weekends"],
  );
  assert.equal(
    await createFirstAccount(
      store,
      {
        token: new Secret("other"),
        ownerEmail: undefined,
        timeZone: "+00:00",
        compatibility: "standard",
      },
      deps,
    ),
    undefined,
  );
  assert.equal(await store.accounts.findByToken(hashToken("other")), undefined);
});

test("a token that is given is the account's, and an owner without an address has none", async () => {
  await using store = await tempStore();
  const access = await createFirstAccount(
    store,
    {
      token: new Secret("given"),
      ownerEmail: undefined,
      timeZone: "+00:00",
      compatibility: "legacy",
    },
    deps,
  );
  assert.deepEqual(Object.keys(access ?? {}), ["linkSecret"]);
  const known = await store.accounts.findByToken(hashToken("given"));
  assert.equal(known?.token.compatibility, "legacy");
  assert.deepEqual((await store.contacts.list(known.account.id))[0]?.addresses, []);
});
