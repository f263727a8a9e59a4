import assert from "node:assert/strict";

import { plainCheck, type TestResponse } from "../../../api-fixture.ts";
import { samples } from "../../../checks/samples.ts";
import { closedPort, silent, tcpPeer } from "../../../peers/tcp.ts";
import type { ConformanceFixture, RowTests } from "../../fixture.ts";
import { waitForState } from "../../check-drivers.ts";

const ofTargets = [
  "AUDIO",
  "DNS",
  "FTP",
  "HTTP",
  "HTTPCONTENT",
  "HTTPPARSE",
  "HTTPADV",
  "IMAP4",
  "MYSQL",
  "PING",
  "POP3",
  "PORT",
  "RBL",
  "RDP",
  "SIP",
  "SMTP",
  "SSH",
  "SSL",
  "WEBSOCKET",
];

async function create(
  { ask, alice }: ConformanceFixture,
  parameters: object = {},
): Promise<TestResponse["body"]> {
  return (await ask(alice, "POST /checks", { ...plainCheck, ...parameters })).body;
}

async function update({ ask, alice }: ConformanceFixture, id: string, parameters: object) {
  return (await ask(alice, `PUT /checks/${id}`, parameters)).body;
}

async function assertRefusedOrKept(
  { ask, alice, refusedOrKept }: ConformanceFixture,
  parameters: object,
  sentence: RegExp,
): Promise<void> {
  refusedOrKept(await ask(alice, "POST /checks", { ...plainCheck, ...parameters }), sentence);
}

/** Asserts that a check is not made of these parameters, and what is said. */
async function assertRefused(
  cast: ConformanceFixture,
  parameters: object,
  sentence: RegExp,
): Promise<void> {
  const { ask, alice, refused } = cast;
  const answer = await ask(alice, "POST /checks", { ...plainCheck, ...parameters });
  assert.match(answer.body.error, sentence);
  refused(answer, 400, answer.body.error);
}

/** The codes of the locations that a new check ran at until it had a state. */
async function locationsOf(
  cast: ConformanceFixture,
  parameters: object,
): Promise<readonly string[]> {
  const port = await closedPort();
  const { _id: id } = await create(cast, {
    type: "PORT",
    target: "127.0.0.1",
    port,
    enabled: "true",
    ...parameters,
  });
  const { lastresult } = await waitForState(cast, id, 0);
  return Object.values(lastresult.l);
}

export const checkFields = {
  type: async (cast) => {
    for (const type of ofTargets) {
      const least = { target: undefined, ...samples[type]?.least };
      assert.equal((await create(cast, { ...least, type })).type, type);
      assert.equal((await create(cast, { ...least, type: type.toLowerCase() })).type, type);
    }
    await assertRefused(cast, { type: undefined }, /^type: required$/);
    await assertRefused(cast, { type: "GOPHER" }, /^type: must be one of .+, not "GOPHER"$/);
    const { _id: id } = await create(cast);
    assert.equal((await update(cast, id, { label: "x" })).type, "HTTP");
    assert.equal((await update(cast, id, { type: "HTTPCONTENT" })).type, "HTTPCONTENT");
  },

  target: async (cast) => {
    for (const type of ofTargets) {
      const { target: _target, ...least } = samples[type]?.least ?? {};
      const sent = { ...least, type, target: undefined };
      if (type === "DNS") assert.equal((await create(cast, sent)).type, type);
      else await assertRefused(cast, sent, /^A target is required\.$/);
    }
    for (const type of ["HTTP", "HTTPCONTENT", "HTTPPARSE", "HTTPADV"]) {
      for (const target of ["http://example.com/", "https://example.com/"])
        assert.equal((await create(cast, { type, target })).parameters.target, target);
      for (const target of ["example.com", "ftp://example.com/"])
        await assertRefused(
          cast,
          { type, target },
          /^target: Invalid URL, must be one that begins with http:\/\/ or https:\/\//,
        );
    }
    const { _id: id } = await create(cast);
    const { target } = plainCheck;
    assert.equal((await update(cast, id, { label: "x" })).parameters.target, target);
    const other = "https://example.org/other";
    assert.equal((await update(cast, id, { target: other })).parameters.target, other);
  },

  label: async (cast) => {
    assert.equal((await create(cast)).label, plainCheck.target);
    const { _id: id, label } = await create(cast, { label: "Shop" });
    assert.equal(label, "Shop");
    assert.equal((await update(cast, id, { label: "Till" })).label, "Till");
  },

  interval: async (cast) => {
    assert.equal((await create(cast)).interval, 15);
    for (const interval of [1, 25, 1440, 0.5, 0.25])
      assert.equal((await create(cast, { interval })).intervalseconds, interval * 60);
    assert.equal((await create(cast, { interval: "5.0" })).interval, 5);
    for (const interval of [0, 0.3, "often"])
      await assertRefused(cast, { interval }, /^interval: must be a whole number from 1 /);
  },

  enabled: async (cast) => {
    assert.equal((await create(cast)).enable, "inactive");
    for (const [enabled, enable] of [
      ["true", "active"],
      ["active", "active"],
      ["false", "inactive"],
    ] as const) {
      const { _id: id, ...made } = await create(cast, { enabled });
      assert.equal(made.enable, enable);
      assert.equal((await update(cast, id, { label: "x" })).enable, enable);
    }
    await assertRefused(cast, { enabled: "maybe" }, /^enabled: must be true or false$/);
  },

  public: async (cast) => {
    assert.equal((await create(cast)).public, false);
    const { _id: id, ...made } = await create(cast, { public: "true" });
    assert.equal(made.public, true);
    assert.equal((await update(cast, id, { public: "false" })).public, false);
  },

  runlocations: async (cast) => {
    const { ask, alice, start } = cast;
    for (const runlocations of ["nam", "eur", "eao", "wlw"])
      assert.deepEqual((await create(cast, { runlocations })).runlocations, [runlocations]);
    await assertRefusedOrKept(
      cast,
      { runlocations: ["eur", "moon"] },
      /^runlocations: no such .+ "moon"/,
    );
    await ask(alice, "PUT /accounts", { location: "eao" });
    start();
    assert.deepEqual(await locationsOf(cast, { sens: 0 }), ["tyo"]);
    assert.deepEqual(await locationsOf(cast, { sens: 0, runlocations: "nam" }), ["nyc"]);
    const both = await locationsOf(cast, { sens: 1, runlocations: ["eao", "nam"] });
    assert.deepEqual(both.toSorted(), ["nyc", "tyo"]);
  },

  threshold: async (cast) => {
    const { ask, alice, clock, start, until } = cast;
    assert.equal((await create(cast)).parameters.threshold, 5);
    assert.equal((await create(cast, { threshold: 1 })).parameters.threshold, 1);
    await assertRefused(cast, { threshold: 0 }, /^threshold: must be a whole number from 1 /);
    await using target = await tcpPeer(silent);
    const { _id: id } = await create(cast, {
      target: `http://${target.host}:${target.port}/`,
      threshold: 2,
      sens: 0,
      enabled: "true",
    });
    const endsAt = clock.now() + 2000;
    start();
    await until("a connection", async () => target.accepted() === 1);
    const results = async (): Promise<TestResponse["body"]> =>
      (await ask(alice, `GET /results/${id}`, { clean: true })).body;
    await clock.advance(endsAt - 1 - clock.now());
    assert.deepEqual(await results(), []);
    await clock.advance(1);
    const [result] = await until("a result", async () => {
      const found = await results();
      return found.length > 0 && found;
    });
    assert.deepEqual([result.su, result.sc, result.rt], [false, "Timeout", 2000]);
  },

  sens: async (cast) => {
    assert.equal("sens" in (await create(cast)).parameters, false);
    assert.equal((await create(cast, { sens: "3" })).parameters.sens, 3);
    await assertRefused(cast, { sens: -1 }, /^sens: must be a whole number from 0 /);
    cast.start();
    for (const [parameters, servers] of [
      [{}, 3],
      [{ sens: 1 }, 2],
      [{ sens: 0 }, 1],
    ] as const)
      assert.equal(new Set(await locationsOf(cast, parameters)).size, servers);
  },

  notifications: async (cast) => {
    const { ask, alice, carol } = cast;
    const { body: dave } = await ask(alice, "POST /contacts", { custrole: "notify" });
    const notifications = [{ [alice.contact.id]: "Days" }, { [dave._id]: "Nights" }];
    const { _id: id, ...made } = await create(cast, { notifications });
    const shown = (schedule: string): unknown =>
      cast.mode === "legacy" ? { delay: 0, schedule } : schedule;
    assert.deepEqual(made.notifications, [
      { [alice.contact.id]: shown("Days") },
      { [dave._id]: shown("Nights") },
    ]);
    const left = await update(cast, id, { notifications: [{ [dave._id]: "None" }] });
    assert.deepEqual(left.notifications, [{ [alice.contact.id]: shown("Days") }]);
    await assertRefusedOrKept(
      cast,
      { notifications: [{ [carol.contact.id]: "Days" }] },
      /^notifications: no such contact/,
    );
    await assertRefusedOrKept(
      cast,
      { notifications: [{ [dave._id]: "Sometimes" }] },
      /^notifications: no such schedule "Sometimes"/,
    );
  },
} satisfies Partial<RowTests<"4.7 checks">>;
