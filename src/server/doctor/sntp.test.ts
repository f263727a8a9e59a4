import assert from "node:assert/strict";
import { test } from "node:test";

import { ntpPeer } from "../../../test/harnesses/ntp-peer.ts";
import { silentUdp, udpPeer } from "../../../test/peers/udp.ts";
import { ntpFinding } from "./peers.ts";
import { clockOffset } from "./sntp.ts";

const OURS = Date.UTC(2026, 10, 23, 12, 0, 0, 250);
const HOUR_MS = 3_600_000;

test("the clock is compared with that of a server, also in the era that begins in 2036", async () => {
  for (const ours of [OURS, Date.UTC(2040, 1, 1, 0, 0, 0, 5)])
    for (const aheadMs of [0, 750, -40, HOUR_MS]) {
      await using server = await ntpPeer({ now: () => ours - aheadMs });
      const found = await clockOffset(server, () => ours, 5000);
      assert.ok(Math.abs(found - aheadMs) < 0.01, `${found} where it is ${aheadMs}`);
      const [request] = server.packets;
      assert.equal(request?.length, 48);
      assert.equal(request[0], 0x23);
    }
});

test("a clock that is wrong is amber or red, and says by how much", async () => {
  const findingWhere = async (aheadMs: number) => {
    await using server = await ntpPeer({ now: () => OURS - aheadMs });
    return await ntpFinding(server, () => OURS);
  };
  const right = await findingWhere(12);
  assert.deepEqual(right, {
    name: "clock by NTP",
    state: "green",
    found: "12 ms ahead of 127.0.0.1",
    advice: undefined,
  });
  assert.equal((await findingWhere(-2500)).state, "amber");
  const wrong = await findingWhere(-HOUR_MS);
  assert.deepEqual([wrong.state, wrong.found], ["red", "3600000 ms behind 127.0.0.1"]);
  assert.match(wrong.advice ?? "", /time service/);
});

test("an answer that cannot be relied on is refused", async () => {
  const cases: readonly (readonly [RegExp, (answer: Buffer) => Buffer])[] = [
    [/another question/, (answer) => answer.fill(1, 24, 32)],
    [/is no NTP server/, (answer) => answer.fill(0x23, 0, 1)],
    [/is no NTP server/, (answer) => answer.subarray(0, 20)],
    [/does not know the time/, (answer) => answer.fill(0xe4, 0, 1)],
    [/does not know the time/, (answer) => answer.fill(16, 1, 2)],
    [
      /refuses, with the code RATE$/,
      (answer) => {
        answer[1] = 0;
        answer.write("RATE", 12);
        return answer;
      },
    ],
  ];
  for (const [expected, change] of cases) {
    await using server = await ntpPeer({ now: () => OURS, change });
    const { state, found } = await ntpFinding(server, () => OURS);
    assert.equal(state, "amber");
    assert.match(found, expected);
  }
});

test("where no server can be asked that is said, and nothing fails", async () => {
  const refused = await ntpFinding({ host: "127.0.0.1", port: 1 }, () => OURS);
  assert.deepEqual(
    [refused.state, refused.found],
    ["amber", "could not ask 127.0.0.1: ECONNREFUSED"],
  );
  await using silent = await udpPeer(silentUdp);
  await assert.rejects(
    clockOffset(silent, () => OURS, 50),
    { code: "ABORT_ERR" },
  );
});
