import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { assertSettings, INSTALLED, read, root, settingsIn } from "./files.ts";

const dockerfile = read("deploy/Dockerfile").replaceAll(/ *\\\n */g, " ");
const instructions = dockerfile.split("\n").flatMap((line) => {
  const [, name = "", rest = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
  return name === "" ? [] : [{ name, rest }];
});
const ofKind = (wanted: string): readonly string[] =>
  instructions.flatMap(({ name, rest }) => (name === wanted ? [rest] : []));

/** Files sent to the builder: exceptions from a rule that excludes everything. */
const included = read(".dockerignore")
  .split("\n")
  .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));

function inContext(path: string): boolean {
  return included.some((kept) => path === kept || path.startsWith(`${kept}/`));
}

test("everything that the image copies exists, and is not left out", () => {
  assert.match(read(".dockerignore"), /^\*$/m);
  for (const path of included) assert.ok(existsSync(join(root, path)), path);
  const copied = ofKind("COPY")
    .filter((rest) => !rest.startsWith("--from"))
    .flatMap((rest) => rest.split(" ").slice(0, -1))
    .filter((path) => path !== ".");
  assert.ok(copied.length >= 5);
  for (const path of copied) assert.ok(inContext(path), path);
});

test("what the image has besides the dependencies is enough to start every command", () => {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-image-"));
  try {
    for (const path of included) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path), {
        recursive: true,
        filter: (source) => !source.endsWith(".test.ts"),
      });
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const start = (settings: NodeJS.ProcessEnv, ...args: readonly string[]) =>
      spawnSync(join(folder, "watchpost"), args, {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env.PATH, WATCHPOST_DATA: join(folder, "data"), ...settings },
      });
    assert.match(start({}, "--version").stdout, /^\d+\.\d+\.\d+\n$/);
    assert.match(
      start({}, "probe", "--url", "nats://127.0.0.1:1").stderr,
      /"error":"WATCHPOST_LOCATION:/,
    );
    // The whole service is loaded before it finds that it may not write here.
    const started = start({ WATCHPOST_DATA: "/proc/watchpost" });
    assert.match(
      started.stderr,
      /"error":"the data folder \\"\/proc\/watchpost\\" cannot be written/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the image sets settings that there are, and its ports, paths and programs agree", () => {
  const given = settingsIn(ofKind("ENV").join(" "), /\b(\w+)=(\S+)/g);
  assertSettings(given);
  const [, port = ""] = /:(\d+)$/.exec(given.WATCHPOST_LISTEN ?? "") ?? [];
  assert.equal(given.WATCHPOST_HEALTH_LISTEN, given.WATCHPOST_LISTEN);
  assert.deepEqual(ofKind("EXPOSE"), [port]);
  assert.match(ofKind("HEALTHCHECK").join(), new RegExp(`http://127\\.0\\.0\\.1:${port}/healthz'`));
  assert.deepEqual(ofKind("VOLUME"), [given.WATCHPOST_DATA]);
  assert.ok(dockerfile.includes(`--mode=0700 ${given.WATCHPOST_DATA}`));
  assert.deepEqual(new Set(ofKind("WORKDIR")), new Set([INSTALLED]));
  assert.deepEqual(ofKind("ENTRYPOINT"), [`["tini", "--", "${INSTALLED}/watchpost"]`]);
});

test("the image runs as a user without rights, and as the Node of the lock file", () => {
  const [user = ""] = ofKind("USER");
  const [, uid = "", gid = ""] = /^([1-9]\d*):([1-9]\d*)$/.exec(user) ?? [];
  assert.ok(dockerfile.includes(`--gid ${gid} watchpost`));
  assert.ok(dockerfile.includes(`--uid ${uid} --gid watchpost`));
  const [install = "", final = ""] = ofKind("FROM");
  assert.match(install, /^node:\d+-bookworm-slim AS install$/);
  // No other Node is in the image that could be started by mistake.
  assert.equal(final, "debian:bookworm-slim");
  assert.deepEqual(ofKind("RUN").slice(0, 1), ["node scripts/install.mjs"]);
});

test("the image has the dashboard, built from the sources that it has", () => {
  const copies = ofKind("COPY");
  const [, again] = ofKind("RUN");
  assert.equal(again, "node scripts/install.mjs");
  assert.ok(copies.includes("--from=install /opt/watchpost/dist dist"));
  for (const path of ["dashboard/main.tsx", "scripts/client/build.ts"])
    assert.ok(inContext(path), path);
});
