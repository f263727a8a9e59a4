import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";

import { exitCodes } from "../../src/cli/exit-codes.ts";
import { assertSettings, INSTALLED, read, root, settingsIn } from "./files.ts";

/** In tenths, as `systemd-analyze security` counts: below 2 it says "OK". 1.2 is what they reached on Debian 12. */
const MAX_EXPOSURE = 15;

const units = globSync("deploy/systemd/*.service", { cwd: root }).toSorted();

/** Calls back with a folder that has the units, as if the program were where they say. */
function withUnits(act: (paths: readonly string[]) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-units-"));
  try {
    const paths = units.map((unit) => {
      const path = join(folder, basename(unit));
      writeFileSync(path, read(unit).replaceAll(`=${INSTALLED}`, `=${root}`));
      return path;
    });
    act(paths);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function analyze(...args: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync("systemd-analyze", args, {
    encoding: "utf8",
  });
  assert.equal(error, undefined);
  assert.equal(status, 0, `${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

test("there is a unit for everything in one process, for each role, and for probes", () => {
  assert.deepEqual(
    units.map((path) => basename(path)),
    ["watchpost-probe@.service", "watchpost.service", "watchpost@.service"],
  );
});

test("systemd finds nothing wrong in the units", () => {
  withUnits((paths) => {
    const said = analyze("verify", "--man=no", "--recursive-errors=no", ...paths);
    const ofOurs = said.split("\n").filter((line) => line.includes("watchpost"));
    assert.deepEqual(ofOurs, []);
  });
});

for (const unit of units) {
  test(`${basename(unit)} exposes little`, () => {
    withUnits((paths) => {
      const path = paths.find((each) => basename(each) === basename(unit)) ?? "";
      const bound = `--threshold=${MAX_EXPOSURE}`;
      assert.match(analyze("security", "--offline=true", bound, path), /exposure level/);
    });
  });
}

test("all units have the same protection", () => {
  const protection = (unit: string): string => {
    const text = read(unit);
    return text.slice(text.indexOf("\nUser="), text.indexOf("\n[Install]"));
  };
  assert.ok(protection(units[0] ?? "").includes("NoNewPrivileges=true"));
  // Threads that run checks fail without it.
  assert.ok(protection(units[0] ?? "").includes("SystemCallFilter=setpriority"));
  assert.equal(new Set(units.map(protection)).size, 1);
});

test("units set settings that there are, and start commands that there are", () => {
  for (const unit of units) {
    // A role or a location, as the file requires.
    const text = read(unit).replaceAll("%i", unit.includes("probe") ? "ny" : "api");
    assertSettings(settingsIn(text, /^Environment=(\w+)=(.*)$/gm));
    const [, command = ""] = /^ExecStart=(.*)$/m.exec(text) ?? [];
    const expected = unit.includes("probe") ? ["probe"] : [];
    assert.deepEqual(command.split(" "), [`${INSTALLED}/watchpost`, ...expected]);
    assert.match(text, /^EnvironmentFile=\/etc\/watchpost\//m);
  }
});

test("a unit is active once the process says so, waits for what the process waits for, and is not restarted in vain", () => {
  for (const unit of units) {
    const text = read(unit);
    for (const line of [
      "Type=notify",
      "TimeoutStartSec=infinity",
      "Restart=always",
      `RestartPreventExitStatus=${exitCodes.misconfigured}`,
      "WatchdogSec=120",
      // No core dump, which would hold passwords.
      "WatchdogSignal=SIGKILL",
    ])
      assert.ok(text.includes(`\n${line}\n`), `${unit}: ${line}`);
    assert.doesNotMatch(text, /^NotifyAccess=/m, "the main process alone speaks for the unit");
  }
});

test("what is killed after a stop is what did not end in the time that the program takes at most", () => {
  const seconds = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]);
  const answers = read("src/bus/nats/location-server.ts").replaceAll("_", "");
  const probe = seconds(answers, /LASTANSWERSWITHINMS = (\d+)/) / 1000;
  for (const unit of units) {
    const given = seconds(read(unit), /^TimeoutStopSec=(\d+)$/m);
    assert.ok(given > (unit.includes("probe") ? probe : 20), `${unit}: ${given}`);
  }
});
