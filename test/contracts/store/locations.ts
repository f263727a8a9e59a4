import assert from "node:assert/strict";
import { test } from "node:test";

import { noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

const ny = { code: "ny", region: "nam", version: "1.2.3" } as const;
const ld = { code: "ld", region: undefined, version: undefined } as const;

export function locationContract(open: OpenStore): void {
  test("a location is remembered as it was seen last, since it was seen first, until it is forgotten", async () => {
    await using store = await open();
    await store.write(async ({ locations }) => {
      await locations.saw(ny, noon);
      await locations.saw(ld, noon + 1);
    });
    await store.write(({ locations }) =>
      locations.saw({ ...ny, region: "eur", version: undefined }, noon + 60_000),
    );
    const [first, second] = [
      { ...ld, firstSeenAt: noon + 1, lastSeenAt: noon + 1 },
      {
        ...ny,
        region: "eur",
        version: undefined,
        firstSeenAt: noon,
        lastSeenAt: noon + 60_000,
      },
    ];
    assert.deepEqual(await store.locations.list(), [first, second]);
    const forget = () => store.write(({ locations }) => locations.forget("ny"));
    assert.deepEqual([await forget(), await forget()], [true, false]);
    assert.deepEqual(await store.locations.list(), [first]);
    await store.write(({ locations }) => locations.saw(ny, noon + 120_000));
    assert.equal((await store.locations.list())[1]?.firstSeenAt, noon + 120_000);
  });

  test("of units that see the same location at once, each is stored, as one location", async () => {
    await using store = await open();
    await Promise.all(
      [0, 1, 2, 3].map((later) =>
        store.write(({ locations }) => locations.saw(ny, noon + later * 1000)),
      ),
    );
    assert.deepEqual(
      (await store.locations.list()).map(({ code }) => code),
      ["ny"],
    );
  });
}
