import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { commandLine } from "../../../test/command-line.ts";
import { runProbeCommand } from "../probe-program.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchpost-locations-"));
});
after(() => rm(folder, { recursive: true }));

test("the secrets of a location go to a file of their own, and its permissions to the output", async () => {
  await using cast = await createApiFixture();
  const output = join(folder, "ny.env");
  const create = () =>
    commandLine(cast, undefined)("location create ny --region nam --output", output);
  const { code, out, err } = await create();
  assert.equal(code, 0);
  const settings = await readFile(output, "utf8");
  assert.match(
    settings,
    /^WATCHPOST_LOCATION=ny\nWATCHPOST_NATS_NKEY=SU[A-Z2-7]{56}\nWATCHPOST_LOCATION_KEY=1-nam\.[\w-]{43}\n$/,
  );
  assert.equal((await stat(output)).mode & 0o777, 0o600);
  assert.match(
    out,
    /^\{ nkey: U[A-Z2-7]{55}, permissions: \{ publish: \["reply\.ny\.>","presence\.at\.ny"\], subscribe: \["job\.ny\.\* probe","presence\.ask"\] \} \}\n$/,
  );
  assert.match(err, /WATCHPOST_FILE=.*ny\.env \.\/watchpost probe\n$/);
  const again = await create();
  assert.deepEqual([again.code, again.out], [1, ""]);
  assert.match(again.err, /^there is a file ".*ny\.env" already: choose another --output\n$/);
  assert.equal(await readFile(output, "utf8"), settings);
});

test("each location and each generation has a key of its own", async () => {
  await using cast = await createApiFixture();
  const keyOf = async (location: string, generation: number): Promise<string> => {
    const output = join(folder, `${location}${generation}`);
    const line = `location create ${location} --generation ${generation} --output`;
    assert.equal((await commandLine(cast, undefined)(line, output)).code, 0);
    return /KEY=(\d+-every\..*)/.exec(await readFile(output, "utf8"))?.[1] ?? "";
  };
  const keys = await Promise.all([keyOf("aa", 1), keyOf("aa", 2), keyOf("bb", 1)]);
  assert.equal(new Set(keys.map((key) => key.split(".")[1])).size, 3);
  assert.match(keys[1], /^2-every\./);
});

test("the user of the service may ask every location", async () => {
  await using cast = await createApiFixture();
  const output = join(folder, "nats.env");
  const { code, out } = await commandLine(cast, undefined)("nats-user create --output", output);
  assert.equal(code, 0);
  assert.match(out, /publish: \["job\.>","hint\.>","presence\.ask"\]/);
  assert.match(await readFile(output, "utf8"), /^WATCHPOST_NATS_NKEY=SU[A-Z2-7]{56}\n$/);
});

for (const [name, line, code, said] of [
  ["a code in capitals", "location create NY", 1, /^the code must be 1 to 20 .* not "NY"\n$/],
  ["a code that is a region", "location create nam", 1, /^the code must be .* not "nam"\n$/],
  [
    "no region",
    "location create ny --region mars",
    1,
    /^--region must be one of nam, lam, .*"mars"/,
  ],
  ["no generation", "location create ny --generation 0", 2, /must be a whole number from 1/],
] as const) {
  test(`${name} is refused`, async () => {
    await using cast = await createApiFixture();
    const { err, ...rest } = await commandLine(cast, undefined)(line);
    assert.deepEqual(rest, { code, out: "" });
    assert.match(err, said);
  });
}

test("the options of a probe are settings", async () => {
  const given: object[] = [];
  const context = {
    version: "1.2.3",
    print() {},
    printError() {},
    runProbe: async (settings: object) => void given.push(settings),
  };
  const args = ["probe", "--url", "nats://x", "--location", "ny"];
  assert.deepEqual(
    [await runProbeCommand(args, context), await runProbeCommand(["probe"], context)],
    [0, 0],
  );
  assert.deepEqual(given, [{ WATCHPOST_NATS_URL: "nats://x", WATCHPOST_LOCATION: "ny" }, {}]);
});
