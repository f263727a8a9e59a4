import assert from "node:assert/strict";

import { dayNames } from "../../../src/domain/schedule.ts";
import type { RowTests } from "../fixture.ts";

const missing = "Unable to find that schedule";

const data = {
  monday: { time1: "8:00", time2: "17:30", exclude: 0 },
  friday: { time1: "12:00", time2: "13:00", exclude: 1 },
  sunday: { disabled: true },
};

export const schedules = {
  "get one": async ({ ask, alice, bob, carol, absent }) => {
    const customerid = bob.account.id;
    await ask(alice, "PUT /schedules/Office", { data, customerid });
    for (const request of ["GET /schedules/Office", "GET /schedules?id=Office"])
      assert.deepEqual((await ask(alice, request, { customerid })).body, data);
    absent(await ask(alice, "GET /schedules/Office"), missing, "");
    absent(await ask(carol, "GET /schedules/Office"), missing, "");
    const { body: usual } = await ask(alice, "GET /schedules/Weekdays");
    assert.deepEqual(new Set(Object.keys(usual)), new Set(dayNames));
  },

  "get all": async ({ ask, alice }) => {
    await ask(alice, "PUT /schedules/Office", { data });
    const { body } = await ask(alice, "GET /schedules");
    assert.deepEqual(
      new Set(Object.keys(body)),
      new Set(["Weekdays", "Weekends", "Days", "Nights", "Office"]),
    );
    assert.deepEqual(body.Office, data);
  },

  create: async ({ ask, alice, refused }) => {
    for (const [id, request] of [
      ["Office", "PUT /schedules/Office"],
      ["Front desk", "PUT /schedules?id=Front%20desk"],
    ] as const) {
      assert.deepEqual((await ask(alice, request, { data })).body, { ok: true, id });
      assert.deepEqual((await ask(alice, "GET /schedules", { id })).body, data);
    }
    refused(await ask(alice, "PUT /schedules", { data }), 400, "id: required");
    refused(await ask(alice, "PUT /schedules/Office"), 400, "data: required");
    refused(
      await ask(alice, "PUT /schedules/Office", { data: { someday: {} } }),
      400,
      'data: must name days from monday to sunday, not "someday"',
    );
  },

  update: async ({ ask, alice }) => {
    await ask(alice, "PUT /schedules/Office", { data });
    const replaced = { tuesday: { allday: true } };
    const { body } = await ask(alice, "PUT /schedules/Office", { data: replaced });
    assert.deepEqual(body, { ok: true, id: "Office" });
    assert.deepEqual((await ask(alice, "GET /schedules/Office")).body, replaced);
  },

  delete: async ({ ask, alice, bob, absent, refused }) => {
    const customerid = bob.account.id;
    for (const parameters of [{}, { customerid }]) {
      const id = "Weekdays";
      const { body } = await ask(alice, `DELETE /schedules/${id}`, parameters);
      assert.deepEqual(body, { ok: true, id });
      absent(await ask(alice, `GET /schedules/${id}`, parameters), missing, "");
      refused(await ask(alice, "DELETE /schedules", { id, ...parameters }), 404, missing);
    }
    refused(await ask(alice, "DELETE /schedules"), 400, "id: required");
  },
} satisfies RowTests<"4.5 schedules">;
