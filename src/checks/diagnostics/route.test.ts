import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { childrenOf } from "../../../test/child-processes.ts";
import { contextOf } from "../../../test/contracts/check-type.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { traceRoute } from "./route.ts";

const here = { address: "127.0.0.1", family: 4 } as const;

/** Runs where only the programs of a folder are found. */
async function withPrograms(
  fill: (folder: string) => Promise<unknown>,
  signal = new AbortController().signal,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "watchpost-programs-"));
  const usual = process.env.PATH;
  try {
    await fill(folder);
    process.env.PATH = folder;
    return await traceRoute(here, contextOf({ signal }));
  } finally {
    process.env.PATH = usual;
    await rm(folder, { recursive: true });
  }
}

/** A program that is called mtr, and prints `output`. */
const saying =
  (output: string) =>
  async (folder: string): Promise<void> => {
    const program = join(folder, "mtr");
    await writeFile(program, `#!/bin/sh\nexec /bin/cat <<'END'\n${output}\nEND\n`);
    await chmod(program, 0o755);
  };

test("where there is no mtr the route is that of traceroute", async () => {
  const text = await withPrograms((folder) =>
    symlink("/usr/bin/traceroute", join(folder, "traceroute")),
  );
  assert.match(text, /^hop .*\n {2}1 {2}127\.0\.0\.1 +-( +\d+\.\d){3}$/);
});

test("where there is neither it says so", async () => {
  const text = await withPrograms(() => Promise.resolve());
  assert.equal(text, "neither mtr nor traceroute is installed at this location");
});

test("a router that keeps silent has its line without an address", async () => {
  const hub = { count: 1, host: "???", "Loss%": 100, Best: 0, Avg: 0, Wrst: 0 };
  const text = await withPrograms(saying(JSON.stringify({ report: { hubs: [hub] } })));
  assert.match(text, /\n {2}1 {2}no answer +100%( +-){3}$/);
});

for (const output of ["no JSON", "{}", '{"report":{"hubs":[{"host":"127.0.0.1"}]}}']) {
  test(`what is no report, such as ${output}, is none`, async () => {
    const text = await withPrograms(saying(output));
    assert.equal(text, "neither mtr nor traceroute is installed at this location");
  });
}

test("a program that says too much, or never ends, is ended", async () => {
  const controller = new AbortController();
  const endless = async (folder: string): Promise<void> => {
    const program = join(folder, "mtr");
    await writeFile(program, "#!/bin/sh\nexec /usr/bin/yes\n");
    await chmod(program, 0o755);
    await symlink("/usr/bin/yes", join(folder, "traceroute"));
  };
  await withPrograms(endless, controller.signal);
  const hanging = async (folder: string): Promise<void> => {
    const program = join(folder, "mtr");
    await writeFile(program, "#!/bin/sh\nexec /bin/sleep 600\n");
    await chmod(program, 0o755);
    void waitFor("the program", () => childrenOf(process.pid).length > 0).then(() =>
      controller.abort(),
    );
  };
  await withPrograms(hanging, controller.signal);
  assert.equal(controller.signal.aborted, true);
});
