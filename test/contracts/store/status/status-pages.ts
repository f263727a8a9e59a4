import assert from "node:assert/strict";
import { test } from "node:test";

import {
  aCheck,
  aFlip,
  alice,
  aStatusPage,
  bob,
  carol,
  minute,
  noon,
} from "../../../record-builders.ts";
import type { StatusPage } from "../../../../src/domain/status/status-page.ts";
import type { OpenStore } from "../store.ts";

const whole = aStatusPage("whole", {
  domain: "status.example.com",
  access: "password",
  password: "$hash",
  intro: "**Intro**",
  footer: "Footer",
  charts: "90d",
  language: "de",
  timeZone: "Europe/Berlin",
  color: "#1d4ed8",
  logo: "data:image/png;base64,iVBORw0KGgo=",
  hasSubscribeForm: false,
  outageIncidents: "draft",
  outageDelayMinutes: 7,
  sections: [{ name: "Shop", checks: [{ id: "one", name: "Home page" }] }],
});
const bare = aStatusPage("bare");

export function statusPageContract(open: OpenStore): void {
  test("status pages come back as they were given, by age, and to their account alone", async () => {
    await using store = await open();
    await store.write(async ({ statusPages }) => {
      assert.equal(await statusPages.insert(whole), undefined);
      assert.equal(await statusPages.insert(bare), undefined);
    });
    const reads = store.statusPages;
    assert.deepEqual(await reads.list(alice.id), [whole, bare]);
    assert.deepEqual(await reads.find(alice.id, "whole"), whole);
    assert.deepEqual(await reads.list(bob.id), []);
    assert.equal(await reads.find(carol.id, "whole"), undefined);
    const changed = { ...whole, slug: "renamed", domain: undefined, title: "Other", sections: [] };
    await store.write(({ statusPages }) => statusPages.update(changed));
    assert.deepEqual(await reads.find(alice.id, "whole"), changed);
    assert.equal(
      await store.write(({ statusPages }) => statusPages.remove(carol.id, "whole")),
      false,
    );
    assert.equal(
      await store.write(({ statusPages }) => statusPages.remove(alice.id, "whole")),
      true,
    );
    assert.deepEqual(await reads.list(alice.id), [bare]);
  });

  test("of those who change a page at the same moment none loses what another changed", async () => {
    await using store = await open();
    await store.write(({ statusPages }) => statusPages.insert(bare));
    const change = (changes: Partial<StatusPage>): Promise<void> =>
      store.write(async ({ statusPages }) => {
        const known = await statusPages.lock(alice.id, "bare");
        assert.ok(known);
        assert.equal(await statusPages.update({ ...known, ...changes }), undefined);
      });
    const all = [
      { title: "Other" },
      { intro: "Intro" },
      { footer: "Footer" },
      { slug: "other" },
    ] as const;
    await Promise.all(all.map(change));
    assert.deepEqual(
      await store.statusPages.find(alice.id, "bare"),
      Object.assign({}, bare, ...all),
    );
    await store.write(async ({ statusPages }) => {
      assert.equal(await statusPages.lock(carol.id, "bare"), undefined);
    });
  });

  test("a page is found by its id, slug and domain, where it is enabled and its account active", async () => {
    await using store = await open();
    await store.write(async ({ statusPages }) => {
      await statusPages.insert(whole);
      await statusPages.insert(aStatusPage("off", { enabled: false }));
    });
    const reads = store.statusPages;
    for (const name of [{ id: "whole" }, { slug: "slug-whole" }, { domain: "status.example.com" }])
      assert.deepEqual(await reads.findShown(name), whole);
    for (const name of [{ id: "off" }, { slug: "slug-off" }, { slug: "status.example.com" }])
      assert.equal(await reads.findShown(name), undefined);
    await store.write(({ accounts }) => accounts.update({ ...alice, status: "suspended" }, noon));
    assert.equal(await reads.findShown({ id: "whole" }), undefined);
  });

  test("whoever has a name first keeps it, until the page has another or is gone", async () => {
    await using store = await open();
    const claim = (changes: Parameters<typeof aStatusPage>[1]) =>
      store.write(({ statusPages }) =>
        statusPages
          .insert(aStatusPage("other", { accountId: carol.id, ...changes }))
          .then((taken) => {
            if (taken !== undefined) throw new Error(taken);
          }),
      );
    await store.write(({ statusPages }) => statusPages.insert(whole));
    await assert.rejects(claim({ slug: whole.slug }), /slug/);
    await assert.rejects(claim({ domain: whole.domain }), /domain/);
    assert.deepEqual(await store.statusPages.list(carol.id), []);
    await store.write(({ statusPages }) => statusPages.update({ ...whole, slug: "new" }));
    await claim({ slug: whole.slug });
    await store.write(({ statusPages }) => statusPages.remove(carol.id, "other"));
    await claim({ slug: whole.slug });
  });

  test("what pages show of checks is their state, of those of the account alone", async () => {
    await using store = await open();
    const nos = await store.write(async ({ checks, states }) => {
      const up = await checks.insert(aCheck("up"));
      const down = await checks.insert(aCheck("down"));
      await checks.insert(aCheck("off", { enabled: false }));
      await checks.insert(aCheck("carols", { accountId: carol.id }));
      for (const [check, to] of [
        [up, "passing"],
        [down, "failing"],
      ] as const)
        await states.flip(aFlip(check.no, { id: check.id, to, at: noon + minute }));
      return { up: up.no, down: down.no };
    });
    const ids = ["up", "down", "off", "carols", "missing"];
    const shown = await store.statusPages.shownStates(alice.id, ids);
    const states = Object.fromEntries([...shown.values()].map(({ id, state }) => [id, state]));
    assert.deepEqual(states, { down: "down", off: "unknown", up: "operational" });
    assert.deepEqual(shown.get("up"), {
      id: "up",
      no: nos.up,
      uuid: "uuid-up",
      state: "operational",
    });
    await store.write(async ({ states }) => {
      const gap = {
        kind: "missed",
        reason: "late",
        message: "",
        firstTick: noon,
        lastTick: noon,
      } as const;
      await states.recordGap(nos.up, { ...gap, ticks: 1 });
    });
    assert.equal(
      (await store.statusPages.shownStates(alice.id, ["up"])).get("up")?.state,
      "operational",
    );
    await store.write(({ states }) =>
      states.recordGap(nos.up, {
        kind: "missed",
        reason: "late",
        message: "",
        firstTick: noon,
        lastTick: noon + minute,
        ticks: 1,
      }),
    );
    assert.equal(
      (await store.statusPages.shownStates(alice.id, ["up"])).get("up")?.state,
      "unknown",
    );
  });
}
