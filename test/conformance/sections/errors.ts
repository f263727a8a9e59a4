import assert from "node:assert/strict";

import { plainCheck } from "../../api-fixture.ts";
import type { RowTests } from "../fixture.ts";
import { pushedCheck } from "../check-drivers.ts";

const account = {
  name: "Dave & Sons",
  contactname: "Dave",
  email: "dave@example.net",
  timezone: "-7",
  location: "nam",
};

const missing: readonly (readonly [request: string, parameters: object, sentence: string])[] = [
  ...Object.keys(account).map(
    (name) => ["POST /accounts", { ...account, [name]: undefined }, `${name}: required`] as const,
  ),
  ["DELETE /accounts", {}, "customerid: required"],
  ["PUT /contacts", { name: "x" }, "id: required"],
  ["DELETE /contacts", {}, "id: required"],
  ["GET /contacts?action=RESETPASSWORD", {}, "id: required"],
  ["PUT /contactgroups", { name: "x" }, "id: required"],
  ["DELETE /contactgroups", {}, "id: required"],
  ["PUT /schedules", { data: {} }, "id: required"],
  ["PUT /schedules/x", {}, "data: required"],
  ["DELETE /schedules", {}, "id: required"],
  ["PUT /notificationprofiles", { name: "x" }, "id: required"],
  ["DELETE /notificationprofiles", {}, "id: required"],
  ["POST /checks", { target: plainCheck.target }, "type: required"],
  ["POST /checks", { type: "HTTP" }, "A target is required."],
  ["PUT /checks", { label: "x" }, "id: required"],
  ["DELETE /checks", {}, "id: required"],
  ["GET /results", {}, "id: required"],
  ["GET /results/uptime", {}, "id: required"],
];

export const errors = {
  "an unknown address id": async ({ ask, alice, refused }) => {
    const path = `/contacts/${alice.contact.id}`;
    const { text: before } = await ask(alice, `GET ${path}`);
    const { body } = await ask(alice, `GET ${path}`);
    const addresses = { ...body.addresses, NOSUCHID: { address: "x@example.net" } };
    refused(
      await ask(alice, `PUT ${path}`, { addresses }),
      400,
      'addresses: no such address "NOSUCHID"',
    );
    assert.equal((await ask(alice, `GET ${path}`)).text, before);
  },

  "the caller's own account": async ({ ask, alice, refused }) => {
    const sentence = "your own account cannot be deleted";
    const { id } = alice.account;
    refused(await ask(alice, `DELETE /accounts/${id}`), 403, sentence);
    refused(await ask(alice, "DELETE /accounts", { customerid: id }), 403, sentence);
    refused(await ask(alice, "DELETE /accounts", { id }), 403, sentence);
    assert.equal((await ask(alice, `GET /accounts/${id}`)).body.status, "Active");
  },

  "a required parameter is missing": async ({ ask, alice, refused }) => {
    for (const [request, parameters, sentence] of missing)
      refused(await ask(alice, request, parameters), 400, sentence);
    const { body: family } = await ask(alice, "GET /accounts");
    assert.equal(Object.keys(family).length, 2);
  },

  "body and statuses": async (cast) => {
    const { ask, send, alice, refused } = cast;
    refused(
      await ask(alice, "POST /checks", { ...plainCheck, interval: 0 }),
      400,
      "interval: must be a whole number from 1 to 525600, or 0.5 or 0.25",
    );
    refused(await ask("no such token", "GET /checks"), 403, "Token not found");
    refused(
      await ask(alice, `GET /checks/${alice.account.id}-NOSUCHID`),
      404,
      "Error fetching check.",
    );
    const patch = await send({ method: "PATCH", url: `/api/1/checks?token=${alice.token}` });
    refused(patch, 405, "method PATCH is not supported on checks");
    const long = await ask(alice, "POST /checks", {
      ...plainCheck,
      description: "x".repeat(2 ** 20),
    });
    refused(long, 413, "body: larger than 1048576 bytes");
    cast.enableSystemMail();
    const reset = `GET /contacts/${alice.contact.id}?action=RESETPASSWORD`;
    await ask(alice, reset);
    const again = await ask(alice, reset);
    refused(again, 429, "id: the contact was sent a password less than a minute ago");
    assert.equal(again.headers["retry-after"], "60");
    // Responses to heartbeats do not depend on the mode, because they never had another.
    const { heartbeat } = await pushedCheck(cast);
    for (let count = 0; count < 5; count += 1) assert.equal((await heartbeat()).status, 200);
    const throttled = await heartbeat();
    assert.equal(throttled.status, 409);
    assert.deepEqual(Object.keys(throttled.body), ["error"]);
  },

  sentences: async ({ ask, alice, bob, refused, absent }) => {
    const id = `${alice.account.id}-NOSUCHID`;
    refused(await ask("no such token", "GET /accounts"), 403, "Token not found");
    refused(
      await ask(bob, "GET /checks", { customerid: alice.account.id }),
      403,
      "You do not have the correct permissions for that account.",
    );
    refused(await ask(alice, "PUT /accounts", { timezone: "noon" }), 400, "Invalid time zone");
    refused(await ask(alice, "POST /checks", { type: "HTTP" }), 400, "A target is required.");
    refused(await ask(alice, `GET /checks/${id}`), 404, "Error fetching check.");
    refused(await ask(alice, `PUT /checks/${id}`, { label: "x" }), 404, "Unable to load check.");
    refused(await ask(alice, `DELETE /checks/${id}`), 404, "Unable to find that check");
    refused(await ask(alice, `DELETE /contacts/${id}`), 404, "Unable to find that contact");
    refused(await ask(alice, `DELETE /contactgroups/${id}`), 404, "Unable to find group");
    absent(await ask(alice, `GET /contacts/${id}`), "Unable to find that contact", {});
    absent(await ask(alice, `GET /contactgroups/${id}`), "Unable to find group", {});
    absent(await ask(alice, "GET /schedules/none-such"), "Unable to find that schedule", "");
    const noOwner = "Account must have at least one 'owner' contact.";
    refused(await ask(alice, "POST /contacts", { newaddresses: [] }), 400, noOwner);
    const own = `/contacts/${alice.contact.id}`;
    refused(await ask(alice, `PUT ${own}`, { addresses: {} }), 400, noOwner);
    refused(await ask(alice, `DELETE ${own}`), 400, noOwner);
  },
} satisfies RowTests<"7 errors">;
