import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { parseEnv, promisify } from "node:util";

import { parse } from "yaml";
import { z } from "zod";

import { readConfig } from "../../src/settings/config.ts";
import { parseLocationKey } from "../../src/bus/location-key.ts";
import { assertSettings, INSTALLED, read, root } from "./files.ts";

const run = promisify(execFile);

const mount = z.union([
  z.string().transform((source) => ({ source, target: `/run/secrets/${source}` })),
  z.object({ source: z.string(), target: z.string() }),
]);
const service = z.object({
  image: z.string(),
  user: z.string().optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  profiles: z.array(z.string()).default([]),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(mount).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ disable: z.boolean().optional() }).loose().optional(),
  networks: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  restart: z.string(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal("ALL")]),
  security_opt: z.tuple([z.literal("no-new-privileges:true")]),
  mem_limit: z.string(),
  cpus: z.number(),
  pids_limit: z.number(),
});
// Version 1.1 has the merges that Compose reads.
const compose = z
  .object({
    services: z.record(z.string(), service),
    networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
    volumes: z.record(z.string(), z.object({})),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
  })
  .parse(parse(read("deploy/compose.yaml"), { version: "1.1" }));
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === "watchpost");

test("every service of the compose file is bounded, and none has rights that it does not need", () => {
  // The schema above has the rest.
  for (const [name, { restart, profiles }] of services)
    assert.equal(restart, profiles.length === 0 ? "unless-stopped" : "no", name);
});

test("settings, commands and files that the compose file names exist", () => {
  for (const [, { environment, build, entrypoint, command }] of ours) {
    const isOfProgram = (name: string): boolean => name.startsWith("WATCHPOST_");
    assertSettings(
      Object.fromEntries(Object.entries(environment).filter(([name]) => isOfProgram(name))),
    );
    if (build !== undefined)
      assert.ok(existsSync(resolve(root, "deploy", build.context, build.dockerfile)));
    const script = entrypoint?.find((word) => word.startsWith(INSTALLED));
    if (script !== undefined) assert.ok(existsSync(script.replace(INSTALLED, root)), script);
    else if (command.length > 0) assert.deepEqual(command, ["probe"]);
  }
  assert.equal(ours.filter(([, { build }]) => build !== undefined).length, 1);
});

test("secrets, volumes, networks and dependencies of the compose file are declared, and all declared are used", () => {
  const used = (of: (one: z.output<typeof service>) => readonly string[]): Set<string> =>
    new Set(services.flatMap(([, one]) => of(one)));
  const declared = (part: object): Set<string> => new Set(Object.keys(part));
  assert.deepEqual(
    used(({ secrets }) => secrets.map(({ source }) => source)),
    declared(compose.secrets),
  );
  assert.deepEqual(
    used(({ networks }) => networks),
    declared(compose.networks),
  );
  const volumes = used((one) => one.volumes.map((text) => text.split(":")[0] ?? ""));
  assert.deepEqual(
    new Set([...volumes].filter((name) => !name.startsWith("."))),
    declared(compose.volumes),
  );
  for (const [name, { depends_on: others, networks }] of services) {
    for (const [other, { condition }] of Object.entries(others)) {
      const needed = compose.services[other];
      assert.equal(condition, "service_healthy");
      assert.ok(needed?.healthcheck !== undefined && needed.healthcheck.disable !== true, other);
      assert.ok(
        needed.networks.some((network) => networks.includes(network)),
        `${name} ${other}`,
      );
    }
  }
});

test("the service is for this machine alone, on the port of the image, and reaches what is internal", () => {
  const [, port = ""] = /^EXPOSE (\d+)$/m.exec(read("deploy/Dockerfile")) ?? [];
  assert.deepEqual(compose.services.service?.ports, [`127.0.0.1:${port}:${port}`]);
  assert.deepEqual(
    services.flatMap(([name, { ports }]) => (ports.length > 0 ? [name] : [])),
    ["service"],
  );
  for (const [name, { networks }] of services)
    if (["nats", "postgres"].includes(name))
      for (const network of networks) assert.ok(compose.networks[network]?.internal);
});

/** Runs setup.sh as its service does, but on this machine. */
async function setUp(folder: string, ...locations: readonly string[]): Promise<string> {
  const script = join(root, "deploy/setup.sh");
  const { PATH } = process.env;
  return (await run("sh", [script, ...locations], { env: { PATH, SECRETS: folder } })).stdout;
}

test("the setup makes every secret of the compose file, once, and more locations later", async () => {
  const folder = await mkdtemp(join(tmpdir(), "watchpost-setup-"));
  try {
    const said = await setUp(folder, ...(compose.services.setup?.command ?? []));
    const file = (name: string): Promise<string> => readFile(join(folder, name), "utf8");
    for (const { file: path } of Object.values(compose.secrets))
      assert.ok((await stat(join(folder, path.replace("./secrets/", "")))).size > 0, path);
    const left = new Set(Object.keys(compose.secrets).concat("ca.key", "ca.srl"));
    for (const name of await readdir(folder)) assert.ok(left.has(name), `${name} is left behind`);

    const config = readConfig({ WATCHPOST_FILE: join(folder, "watchpost.env") });
    const token = config.WATCHPOST_TOKEN?.reveal() ?? "";
    assert.match(token, /^\w{48}$/);
    assert.ok(!said.includes(token), "no terminal log has the token");
    assert.match(said, /^The API token is WATCHPOST_TOKEN in secrets\/watchpost\.env\.$/m);
    const url = new URL(config.WATCHPOST_DATABASE_URL?.reveal() ?? "");
    assert.equal(url.password, await file("postgres-password"));
    assert.ok(Object.hasOwn(compose.services, url.hostname), url.hostname);
    const [server = ""] = config.WATCHPOST_NATS_URL?.servers ?? [];
    assert.ok(Object.hasOwn(compose.services, server.split(":")[0] ?? ""), server);
    const mounted = new Set(
      services.flatMap(([, { secrets }]) => secrets.map(({ target }) => target)),
    );
    for (const path of [url.searchParams.get("sslrootcert"), config.WATCHPOST_NATS_CA])
      assert.ok(mounted.has(path ?? ""), path ?? "");

    const before = await file("watchpost.env");
    assert.match(await setUp(folder, "ny", "nam", "sg", "eao"), /^The probe of the location sg /);
    assert.equal(await file("watchpost.env"), before);
    for (const [code, region] of Object.entries({ ny: "nam", ld: "eur", sg: "eao" })) {
      const probe = readConfig({ WATCHPOST_FILE: join(folder, `${code}.env`) });
      assert.deepEqual(
        probe.locations.map((location) => location.code),
        [code],
      );
      // The key has the region, and no setting states it.
      const key = parseLocationKey(probe.WATCHPOST_LOCATION_KEY?.reveal() ?? "");
      assert.equal(key.region, region);
      assert.ok(probe.WATCHPOST_NATS_URL !== undefined);
      assert.match(await file("nats-server.conf"), new RegExp(`publish: \\["reply\\.${code}\\.>`));
    }
    assert.equal(parseEnv(before).WATCHPOST_INSTANCE_KEY?.length, 64);
    await assertNatsTakes(folder, await file("nats-server.conf"));
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** The server itself judges the configuration, with the certificates where they are here. */
async function assertNatsTakes(folder: string, configuration: string): Promise<void> {
  const { secrets = [] } = compose.services.nats ?? {};
  let here = configuration;
  for (const { source, target } of secrets) here = here.replaceAll(target, join(folder, source));
  assert.notEqual(here, configuration);
  assert.equal([...here.matchAll(/nkey: U\w{55}/g)].length, 4);
  await writeFile(join(folder, "here.conf"), here);
  const { stderr } = await run("nats-server", ["-t", "--config", join(folder, "here.conf")], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  assert.match(stderr, /is valid/);
}

test("what a container reads belongs to its user", async () => {
  const script = read("deploy/setup.sh");
  const [, user = ""] = /^USER (\d+):/m.exec(read("deploy/Dockerfile")) ?? [];
  assert.ok(script.includes(`\nWATCHPOST_USER=${user}\n`));
  assert.equal(compose.services.nats?.user, `${user}:${user}`);
});
