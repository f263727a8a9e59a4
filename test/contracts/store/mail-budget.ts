import assert from "node:assert/strict";
import { test } from "node:test";

import { alice, bob, carol, noon } from "../../record-builders.ts";
import type { BudgetedMail } from "../../../src/store/mail-budget.ts";
import type { SpentBudget } from "../../../src/domain/contact/mail-limits.ts";
import type { ContractStore } from "./contract-store.ts";
import type { OpenStore } from "./store.ts";

const hour = 3_600_000;
const day = 24 * hour;
const AT_ONCE = 6;

export function mailBudgetContract(open: OpenStore): void {
  const take = (
    store: ContractStore,
    mail: Partial<BudgetedMail> & Pick<BudgetedMail, "limits">,
  ): Promise<SpentBudget | undefined> =>
    store.write(({ mailBudget }) =>
      mailBudget.take({ mailbox: "ann@example.net", accountId: alice.id, at: noon, ...mail }),
    );

  test("a mailbox gets so many mails an hour and a day, however it is spelled and whoever asks", async () => {
    await using store = await open();
    const limits = { perMailbox: 1, perAccount: 0 };
    assert.equal(await take(store, { limits }), undefined);
    for (const mail of [
      { accountId: carol.id },
      { mailbox: "A.nn+tag@Example.net" },
      { at: noon + hour - 1 },
    ])
      assert.equal((await take(store, { limits, ...mail }))?.of, "mailbox");
    assert.equal(await take(store, { limits, mailbox: "ben@example.net" }), undefined);
    for (let sent = 1; sent < 4; sent += 1)
      assert.equal(await take(store, { limits, at: noon + sent * hour }), undefined);
    assert.deepEqual(await take(store, { limits, at: noon + 4 * hour }), {
      of: "mailbox",
      forMs: day - 4 * hour,
    });
    assert.equal(await take(store, { limits, at: noon + day }), undefined);
  });

  test("an account has so many mails a day, those that its subaccounts ask for included", async () => {
    await using store = await open();
    const limits = { perMailbox: 0, perAccount: 1 };
    assert.equal(await take(store, { limits, accountId: bob.id }), undefined);
    assert.deepEqual(await take(store, { limits, mailbox: "ben@example.net" }), {
      of: "account",
      forMs: day,
    });
    assert.equal(await take(store, { limits, accountId: carol.id }), undefined);
  });

  test("mails of alerts to a mailbox are counted within a day that begins with the first", async () => {
    await using store = await open();
    const mailbox = "ann@example.net";
    const count = (at: number, to = mailbox): Promise<void> =>
      store.write(({ mailBudget }) => mailBudget.countAlertMail({ mailbox: to, at }));
    const resumeAt = (at: number, limit = 2): Promise<number | undefined> =>
      store.mailBudget.alertsResumeAt({ mailbox: "A.nn+tag@Example.net", at, limit });
    await Promise.all([count(noon), count(noon, "ben@example.net")]);
    assert.equal(await resumeAt(noon + hour), undefined);
    await count(noon + hour);
    assert.equal(await resumeAt(noon + hour), noon + day);
    assert.equal(await resumeAt(noon + hour, 3), undefined);
    assert.equal(await resumeAt(noon + hour, 0), undefined);
    assert.equal(await resumeAt(noon + day), undefined);
    // The clock was set back.
    assert.equal(await resumeAt(noon - 1), undefined);
    await Promise.all(Array.from({ length: AT_ONCE }, () => count(noon + day)));
    assert.equal(await resumeAt(noon + day, AT_ONCE + 1), undefined);
    assert.equal(await resumeAt(noon + day, AT_ONCE), noon + 2 * day);
  });

  for (const [name, limits, spread] of [
    ["to one mailbox", { perMailbox: 1, perAccount: 0 }, { accountIds: [alice.id, carol.id] }],
    ["by one account", { perMailbox: 0, perAccount: 1 }, { accountIds: [alice.id, bob.id] }],
  ] as const)
    test(`of mails ${name} at the same time, as many pass as are left`, async () => {
      await using store = await open();
      const taken = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => {
          const accountId = spread.accountIds[index % spread.accountIds.length] ?? alice.id;
          const mailbox = limits.perMailbox === 0 ? `m${index}@example.net` : "ann@example.net";
          return take(store, { limits, accountId, mailbox });
        }),
      );
      assert.equal(taken.filter((spent) => spent === undefined).length, 1);
    });
}
