import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import { z } from "zod";

import {
  createWatchpost,
  dataOf,
  sendHeartbeat,
  WatchpostError,
  type NewCheck,
} from "../../clients/typescript/src/client.ts";
import { httpPeer } from "../peers/http.ts";
import { root, start, temporaryFolder, type RunningInstallation } from "./process.ts";

const folder = join(root, "clients/typescript");
const packed = z.array(z.object({ files: z.array(z.object({ path: z.string() })) }));

suite("the TypeScript client", () => {
  const ending = new AsyncDisposableStack();
  let site: RunningInstallation;
  before(async () => {
    const own = ending.use(await temporaryFolder());
    site = ending.use(await start(own.path));
  });
  after(() => ending.disposeAsync());

  test("makes, reads, changes and deletes, and has the sentence of an error", async () => {
    const { api, checks } = createWatchpost({ url: `${site.base}/`, token: site.token });
    const body: NewCheck = {
      type: "HTTP",
      target: "http://127.0.0.1:9/",
      label: "shop",
      tags: ["a"],
    };
    const { _id: id } = await dataOf(api.POST("/checks", { body }));
    const path = { id };
    const check = await dataOf(api.GET("/checks/{id}", { params: { path } }));
    assert.deepEqual([check.label, check.tags, check.autodiag], ["shop", ["a"], false]);
    await dataOf(api.PUT("/checks/{id}", { params: { path }, body: { label: "the shop" } }));
    const labels = await Array.fromAsync(checks(), ({ label }) => label);
    assert.deepEqual(labels, ["the shop"]);
    await dataOf(api.DELETE("/checks/{id}", { params: { path } }));
    await assert.rejects(
      dataOf(api.GET("/checks/{id}", { params: { path } })),
      new WatchpostError(404, "Error fetching check."),
    );
  });

  test("sends heartbeats, and reads their results", async () => {
    const { api, results } = createWatchpost({ url: site.base, token: site.token });
    const body = { type: "PUSH", label: "backup", enabled: true } as const;
    const check = await dataOf(api.POST("/checks", { body }));
    // The type decides which parameters it has.
    assert.ok(check.type === "PUSH");
    const { _id: id, parameters } = check;
    const target = { url: site.base, id, checktoken: parameters.checktoken };
    await sendHeartbeat(target, { msg: "backed up", ping: 12, data: { load: 1 } });
    await sendHeartbeat(target, { signal: "start" });
    await sendHeartbeat(target, { signal: 3, msg: "no space" });
    const found = await Array.fromAsync(results(id), ({ su, m }) => [su, m.includes("no space")]);
    assert.deepEqual(found, [
      [false, true],
      [true, false],
    ]);
    await assert.rejects(sendHeartbeat({ ...target, checktoken: "wrong" }), WatchpostError);
  });

  test("sends again what is refused for now, but not what may have been done", async () => {
    const asked: string[] = [];
    await using peer = await httpPeer((request, response) => {
      asked.push(request.method ?? "");
      request.resume();
      const isFirst = asked.length === 1;
      response.writeHead(isFirst ? 429 : 503, {
        "retry-after": "0",
        "content-type": "application/json",
      });
      response.end('{"error":"not now"}');
    });
    const { api } = createWatchpost({ url: peer.url, token: "x", retries: 2 });
    const refused = new WatchpostError(503, "not now");
    await assert.rejects(dataOf(api.GET("/checks")), refused);
    assert.deepEqual(asked, ["GET", "GET", "GET"]);
    await assert.rejects(
      dataOf(api.POST("/checks", { body: { type: "PING", target: "a" } })),
      refused,
    );
    assert.equal(asked.length, 4);
  });

  test("is packed as JavaScript with its types, and what is packed works", async () => {
    ending.defer(() => rm(join(folder, "dist"), { recursive: true, force: true }));
    execFileSync(process.execPath, [join(root, "scripts/client/types.ts")], { cwd: root });
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
    const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [{ files }] = z.tuple([packed.element]).parse(JSON.parse(output));
    const names = files.map(({ path }) => path);
    for (const name of ["README.md", "dist/client.js", "dist/client.d.ts", "dist/schema.d.ts"])
      assert.ok(names.includes(name), name);
    assert.ok(names.every((name) => !name.startsWith("src/")));
    const script = `import { createWatchpost } from ${JSON.stringify(join(folder, "dist/client.js"))};
      const { checks } = createWatchpost(${JSON.stringify({ url: site.base, token: site.token })});
      for await (const { label } of checks()) console.log(label);`;
    const said = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
    });
    assert.equal(said, "backup\n");
  });

  test("has a name for everything that its document imports", async () => {
    const readme = await readFile(join(folder, "README.md"), "utf8");
    const [, names = ""] = /import \{ ([^}]+) \} from "watchpost-client"/.exec(readme) ?? [];
    const exported = Object.keys(await import("../../clients/typescript/src/client.ts"));
    assert.deepEqual(names.split(", ").toSorted(), exported.toSorted());
  });
});
