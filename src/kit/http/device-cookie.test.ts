import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createSealer } from "../crypto/seal.ts";
import { createDeviceCookie } from "./device-cookie.ts";

const clock = fakeClock();
const sealer = createSealer(new Uint8Array(32));
const cookie = createDeviceCookie({ sealer, clock, isSecure: true });

/** Returns the cookie that a browser sends back. */
const sent = (set: string): string => set.split(";")[0] ?? "";

// guard: mailboxes of known browsers
test("a browser is known for the mailbox that signed in there, and for no other", () => {
  const set = cookie.write(undefined, "ann@example.com");
  assert.match(
    set,
    /^__Host-watchpost-device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  assert.match(cookie.deviceOf(sent(set), "ann@example.com") ?? "", /^[\w-]{16}$/);
  assert.equal(cookie.deviceOf(sent(set), "ben@example.com"), undefined);
  assert.equal(cookie.deviceOf(undefined, "ann@example.com"), undefined);
});

test("people who share a browser are known there, the last four of them", () => {
  let header = "other=x";
  for (const name of ["a", "b", "c", "d", "e"])
    header = `other=x; ${sent(cookie.write(header, `${name}@example.com`))}`;
  const known = ["a", "b", "c", "d", "e"].filter(
    (name) => cookie.deviceOf(header, `${name}@example.com`) !== undefined,
  );
  assert.deepEqual(known, ["b", "c", "d", "e"]);
});

test("a cookie of another key, a changed one and an old one show nothing", async () => {
  const header = sent(cookie.write(undefined, "ann@example.com"));
  const other = createDeviceCookie({
    sealer: createSealer(new Uint8Array(32).fill(1)),
    clock,
    isSecure: true,
  });
  assert.equal(other.deviceOf(header, "ann@example.com"), undefined);
  const later = header.replace(/\.(\d+)\./, (_, endsAt: string) => `.${Number(endsAt) + 1}.`);
  for (const changed of [later, `${header}x`, header.slice(0, -1), header.replace("=", "=~~~~")])
    assert.equal(cookie.deviceOf(changed, "ann@example.com"), undefined);
  await clock.advance(180 * 86_400_000);
  assert.equal(cookie.deviceOf(header, "ann@example.com"), undefined);
});
