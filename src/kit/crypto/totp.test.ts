import assert from "node:assert/strict";
import { test } from "node:test";

import { generateTotpSecret, totpStepOf, totpUri } from "./totp.ts";

/** RFC 6238, appendix B: `12345678901234567890`, and the last six digits of the codes. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const vectors = [
  { seconds: 59, code: "287082" },
  { seconds: 1_111_111_109, code: "081804" },
  { seconds: 1_234_567_890, code: "005924" },
  { seconds: 20_000_000_000, code: "353130" },
];

for (const { seconds, code } of vectors)
  test(`the code of second ${seconds} is that of RFC 6238, a step early and late too, and no more`, () => {
    const step = Math.floor(seconds / 30);
    const at = (steps: number) => totpStepOf(code, SECRET, (seconds + steps * 30) * 1000);
    assert.deepEqual([-2, -1, 0, 1, 2].map(at), [undefined, step, step, step, undefined]);
  });

test("what is no code of six digits is none", () => {
  for (const code of ["", "28708", "2870820", "28708x", "94287082"])
    assert.equal(totpStepOf(code, SECRET, 59_000), undefined, code);
});

test("a secret has 160 bits, and its URI is what apps read", () => {
  const [one, other] = [generateTotpSecret(), generateTotpSecret()];
  assert.match(one, /^[A-Z2-7]{32}$/);
  assert.notEqual(one, other);
  assert.equal(
    totpUri(SECRET, { issuer: "watch.example.org", label: "ann@example.com" }),
    `otpauth://totp/watch.example.org:ann%40example.com?issuer=watch.example.org&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  );
});
