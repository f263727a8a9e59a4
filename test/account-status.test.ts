import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiServer } from "../src/api/http/server.ts";
import { hashToken } from "../src/kit/crypto/seal.ts";
import { createApiFixture } from "./api-fixture.ts";
import { schedulerHarness, up } from "./harnesses/scheduler-harness.ts";
import { aCheck, alice, bob } from "./record-builders.ts";

/** The real scheduler on a store that the real API changes: Alice's check and one of her subaccount Bob run every minute. */
async function runningField() {
  const world = await schedulerHarness({ ld: () => up }, { region: "eur" });
  const { store, clock, jobs } = world;
  const cast = await createApiFixture({ store, clock });
  const app = createApiServer(cast.deps);
  await store.write(async (tx) => {
    await tx.tokens.insert({
      digest: hashToken("token"),
      accountId: alice.id,
      label: "",
      createdAt: 0,
      compatibility: "standard",
    });
    await tx.accounts.insert(bob);
    await tx.checks.insert(aCheck("hers", { rechecks: 0 }));
    await tx.checks.insert(aCheck("his", { accountId: bob.id, rechecks: 0 }));
  });
  const runsOf = (id: string): number => jobs.filter(({ job }) => job.checkId === id).length;
  world.start();
  await world.until("both run", () => runsOf("his") > 0 && runsOf("hers") > 0);
  return {
    world,
    /** Alice's request about Bob's account. */
    async ask(method: "PUT" | "DELETE", parameters: object = {}): Promise<void> {
      const answer = await app.inject({
        method,
        url: `/api/1/accounts/${bob.id}`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...parameters, token: "token" }),
      });
      assert.equal(answer.statusCode, 200, answer.body);
    },
    /** How often Bob's check runs while Alice's runs three times. */
    async runsOfHis(): Promise<number> {
      const [his, hers] = [runsOf("his"), runsOf("hers")];
      await world.until("hers runs three times", () => runsOf("hers") >= hers + 3);
      return runsOf("his") - his;
    },
    async hisRunsAgain(): Promise<void> {
      const his = runsOf("his");
      await world.until("his runs again", () => runsOf("his") > his);
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await cast[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test("the checks of a suspended account do not run until it is active again, and nobody else's stop", async () => {
  await using running = await runningField();
  await running.ask("PUT", { status: "Suspend" });
  assert.equal(await running.runsOfHis(), 0);
  await running.ask("PUT", { location: "eur" });
  assert.equal(await running.runsOfHis(), 0);
  await running.ask("PUT", { status: "Active" });
  await running.hisRunsAgain();
});

test("the checks of a deleted account never run again", async () => {
  await using running = await runningField();
  await running.ask("DELETE");
  assert.equal(await running.runsOfHis(), 0);
});

test("a change of the account's regions reaches the checks that name none of their own", async () => {
  await using running = await runningField();
  await running.ask("PUT", { location: "nam" });
  assert.equal(await running.runsOfHis(), 0);
  const record = await running.world.store.checks.find(bob.id, "his");
  assert.equal(record?.openGap?.kind, "undecided");
  await running.ask("PUT", { location: ["nam", "eur"] });
  await running.hisRunsAgain();
});
