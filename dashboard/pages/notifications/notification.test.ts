import assert from "node:assert/strict";
import { test } from "node:test";

import { dropReasons, holdReasons } from "../../../src/domain/alert/alert.ts";
import { filtersIn, reasonOf, searchOf } from "./notification.ts";

test("the address keeps the filters, and leaves out those that are not set", () => {
  const filters = {
    ...filtersIn(""),
    contact: "a-1",
    status: "dropped",
    start: "2026-01-05T12:00",
  };
  assert.equal(searchOf(filters), "contact=a-1&status=dropped&start=2026-01-05T12%3A00");
  assert.deepEqual(filtersIn(searchOf(filters)), filters);
  assert.equal(searchOf(filtersIn("?unknown=1")), "");
});

test("every reason of the service has a text, and one of a receiver has none", () => {
  for (const reason of dropReasons)
    assert.equal(reasonOf({ status: "dropped", reason }), `dropReasons.${reason}`);
  for (const reason of holdReasons) assert.ok(reasonOf({ status: "held", reason }), reason);
  assert.ok(reasonOf({ status: "waiting", reason: "mailbox_limit" }));
  assert.equal(reasonOf({ status: "failed", reason: "550 no such mailbox" }), undefined);
  assert.equal(reasonOf({ status: "dropped", reason: "toString" }), undefined);
});
