import assert from "node:assert/strict";

import { withoutLimits } from "../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";

const notYours = "You do not have the correct permissions for that account.";

const newAccount = {
  name: "Dave & Sons",
  contactname: "Dave",
  email: "dave@example.com",
  timezone: -7,
  location: "eur",
};

/** The account as it is read. */
async function read(
  { ask, alice }: ConformanceFixture,
  { account }: ConformanceFixture["bob"],
): ReturnType<ConformanceFixture["ask"]> {
  return ask(alice, `GET /accounts/${account.id}`);
}

export const accounts = {
  "get one": async (cast) => {
    const { ask, alice, bob, carol } = cast;
    for (const request of [
      `GET /accounts/${bob.account.id}`,
      `GET /accounts?customerid=${bob.account.id}`,
      `GET /accounts?id=${bob.account.id}`,
    ]) {
      const { body } = await ask(alice, request);
      assert.deepEqual([body._id, body.customer_name], [bob.account.id, "Bob"]);
    }
    assert.equal((await read(cast, alice)).body.customer_name, "Alice");
    cast.refused(await read(cast, carol), 403, notYours);
  },

  "get the list": async ({ ask, alice, bob }) => {
    const { text } = await ask(alice, "GET /accounts");
    assert.deepEqual(JSON.parse(withoutLimits(text)), {
      [alice.account.id]: { parent: 1, name: "Alice", status: "Active", count: 0 },
      [bob.account.id]: { name: "Bob", status: "Active", count: 0 },
    });
  },

  "update: customerid or id": async (cast) => {
    const { ask, alice, bob, carol } = cast;
    for (const [name, request] of [
      ["by path", `PUT /accounts/${bob.account.id}`],
      ["by customerid", `PUT /accounts?customerid=${bob.account.id}`],
      ["by id", `PUT /accounts?id=${bob.account.id}`],
    ] as const) {
      const { body } = await ask(alice, request, { name });
      assert.deepEqual([body._id, body.customer_name], [bob.account.id, name]);
    }
    const { body } = await ask(alice, "PUT /accounts", { name: "the primary" });
    assert.deepEqual([body._id, body.customer_name], [alice.account.id, "the primary"]);
    cast.refused(
      await ask(alice, `PUT /accounts/${carol.account.id}`, { name: "x" }),
      403,
      notYours,
    );
  },

  "update: name": async (cast) => {
    const { ask, alice, bob } = cast;
    await ask(alice, `PUT /accounts/${bob.account.id}`, { name: "Robert" });
    assert.equal((await read(cast, bob)).body.customer_name, "Robert");
    assert.equal((await ask(alice, "GET /accounts")).body[bob.account.id].name, "Robert");
  },

  "update: timezone": async (cast) => {
    const { ask, alice, bob } = cast;
    for (const [timezone, shown] of [
      [-7, "-7.0"],
      ["5.5", "5.5"],
      ["0", "0.0"],
    ] as const) {
      await ask(alice, `PUT /accounts/${bob.account.id}`, { timezone });
      assert.equal((await read(cast, bob)).body.timezone, shown);
    }
    cast.refused(await ask(alice, "PUT /accounts", { timezone: "Mars" }), 400, "Invalid time zone");
  },

  "update: location": async (cast) => {
    const { ask, alice, bob } = cast;
    for (const location of ["nam", "lam", "eur", "eao", "wlw"]) {
      await ask(alice, `PUT /accounts/${bob.account.id}`, { location });
      assert.deepEqual((await read(cast, bob)).body.defaultlocations, [location]);
    }
    cast.refused(
      await ask(alice, "PUT /accounts", { location: "moon" }),
      400,
      "location: must be one of nam, lam, eur, eao, wlw, or a list of them",
    );
  },

  "update: autodiagnotifications": async (cast) => {
    const { ask, alice, bob } = cast;
    assert.equal((await read(cast, bob)).body.autodiagnotifications, false);
    for (const [autodiagnotifications, shown] of [
      ["true", true],
      ["false", false],
    ] as const) {
      await ask(alice, `PUT /accounts/${bob.account.id}`, { autodiagnotifications });
      assert.equal((await read(cast, bob)).body.autodiagnotifications, shown);
    }
  },

  "update: emailme": async (cast) => {
    const { ask, alice, bob } = cast;
    assert.equal((await read(cast, bob)).body.emailme, false);
    for (const [emailme, shown] of [
      ["yes", true],
      ["no", false],
    ] as const) {
      await ask(alice, `PUT /accounts/${bob.account.id}`, { emailme });
      assert.equal((await read(cast, bob)).body.emailme, shown);
    }
  },

  "update: status": async (cast) => {
    const { ask, alice, bob } = cast;
    for (const status of ["Suspend", "Active"]) {
      await ask(alice, `PUT /accounts/${bob.account.id}`, { status });
      assert.equal((await read(cast, bob)).body.status, status);
    }
    cast.refused(
      await ask(alice, "PUT /accounts", { status: "Suspend" }),
      400,
      "status: can only be changed on a subaccount",
    );
    cast.refused(
      await ask(alice, `PUT /accounts/${bob.account.id}`, { status: "Delete" }),
      400,
      "status: must be one of Active, Suspend",
    );
  },

  "suppress: accountsuppressall": async (cast) => {
    const { ask, alice } = cast;
    for (const [accountsuppressall, shown] of [
      ["true", true],
      ["false", false],
    ] as const) {
      const { body } = await ask(alice, "PUT /accounts", { accountsuppressall });
      assert.deepEqual([body._id, body.accountsuppressall], [alice.account.id, shown]);
      assert.equal((await read(cast, alice)).body.accountsuppressall, shown);
    }
  },

  "suppress: customerid": async (cast) => {
    const { ask, alice, bob } = cast;
    const suppressed = async (): Promise<readonly (boolean | undefined)[]> => [
      (await read(cast, alice)).body.accountsuppressall,
      (await read(cast, bob)).body.accountsuppressall,
    ];
    await ask(alice, "PUT /accounts", { accountsuppressall: "true" });
    assert.deepEqual(await suppressed(), [true, undefined]);
    await ask(alice, "PUT /accounts", { accountsuppressall: "false" });
    await ask(alice, "PUT /accounts", {
      accountsuppressall: "true",
      customerid: bob.account.id,
    });
    assert.deepEqual(await suppressed(), [false, true]);
  },

  "create: name, contactname, email, timezone, location are required": async (cast) => {
    const { ask, alice } = cast;
    for (const name of Object.keys(newAccount)) {
      const answer = await ask(alice, "POST /accounts", { ...newAccount, [name]: undefined });
      cast.refused(answer, 400, `${name}: required`);
    }
    assert.equal(Object.keys((await ask(alice, "GET /accounts")).body).length, 2);
    for (const location of ["nam", "eur", "eao", "wlw"]) {
      const { body } = await ask(alice, "POST /accounts", { ...newAccount, location });
      assert.deepEqual(body.defaultlocations, [location]);
    }
  },

  "create: emailme": async ({ ask, alice }) => {
    for (const [emailme, shown] of [
      [undefined, false],
      ["yes", true],
    ] as const) {
      const { body } = await ask(alice, "POST /accounts", { ...newAccount, emailme });
      assert.equal(body.emailme, shown);
    }
  },

  "create: id and customerid are not supported": async ({ ask, alice, bob }) => {
    const unsupported = { id: "CHOSEN", customerid: bob.account.id };
    const { body } = await ask(alice, "POST /accounts", { ...newAccount, ...unsupported });
    assert.match(body._id, /^\d{12}[A-Z0-9]{5}$/);
    assert.notEqual(body._id, bob.account.id);
    assert.equal(body.parent, alice.account.id);
  },

  "create: the answer": async ({ ask, alice, clock, mode }) => {
    const { body } = await ask(alice, "POST /accounts", newAccount);
    assert.deepEqual(body, {
      _id: body._id,
      type: "customer",
      parent: alice.account.id,
      customer_name: "Dave & Sons",
      creation_date: clock.now(),
      status: "Active",
      timezone: "-7.0",
      nextBillingDate: "2026-02-01",
      defaultlocations: ["eur"],
      emailme: false,
      autodiagnotifications: false,
      recheckwait: 5,
      defaultnotifications:
        mode === "legacy" ? [] : [{ "dave@example.com": { delay: 0, schedule: "All" } }],
    });
    const { body: contacts } = await ask(alice, "GET /contacts", { customerid: body._id });
    const [contact] = Object.values<{ name: string; addresses: object }>(contacts);
    assert.deepEqual(
      [contact?.name, Object.keys(contact?.addresses ?? {})],
      ["Dave", ["dave@example.com"]],
    );
  },

  "delete: customerid or id": async (cast) => {
    const { ask, alice, bob } = cast;
    cast.refused(await ask(alice, "DELETE /accounts"), 400, "customerid: required");
    const { body: dave } = await ask(alice, "POST /accounts", newAccount);
    const { body: erin } = await ask(alice, "POST /accounts", newAccount);
    for (const request of [
      `DELETE /accounts/${bob.account.id}`,
      `DELETE /accounts?customerid=${dave._id}`,
      `DELETE /accounts?id=${erin._id}`,
    ])
      assert.equal((await ask(alice, request)).status, 200, request);
    assert.deepEqual(Object.keys((await ask(alice, "GET /accounts")).body), [alice.account.id]);
  },

  "delete: the answer": async (cast) => {
    const { ask, alice, bob } = cast;
    const { body } = await ask(alice, `DELETE /accounts/${bob.account.id}`);
    assert.deepEqual(body, { success: "Records queued for deletion." });
    const records = await ask(alice, "GET /contacts", { customerid: bob.account.id });
    cast.refused(records, 403, notYours);
  },

  "delete: not the caller's own account": async (cast) => {
    const { ask, alice } = cast;
    cast.refused(
      await ask(alice, `DELETE /accounts/${alice.account.id}`),
      403,
      "your own account cannot be deleted",
    );
    assert.equal((await read(cast, alice)).body.status, "Active");
  },
} satisfies RowTests<"4.2 accounts">;
