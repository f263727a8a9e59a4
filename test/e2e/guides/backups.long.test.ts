import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import { systemClock } from "../../../src/kit/clock.ts";
import { documentBlocks } from "../../harnesses/document-blocks.ts";
import { s3Peer, type S3Peer } from "../../peers/s3.ts";
import { waitFor } from "../../time/wait-for.ts";
import { start, temporaryFolder, type RunningInstallation } from "../process.ts";
import { followGuide, type Guide } from "./guide.ts";

const DOCUMENT = "docs/backups.md";
const [inFolder = "", inBucket = ""] = documentBlocks(DOCUMENT)
  .filter(({ language, heading }) => language === "ini" && heading === "Choose a place")
  .map(({ text }) => text);
const [sampleKey = ""] = /age1\w+/.exec(inFolder) ?? [];
const key = {
  accessKey: /ACCESS_KEY=(.+)/.exec(inBucket)?.[1] ?? "",
  secretKey: /SECRET_KEY=(.+)/.exec(inBucket)?.[1] ?? "",
};

suite(DOCUMENT, () => {
  const ending = new AsyncDisposableStack();
  const values: Record<string, string> = {};
  let folder: string;
  let peer: S3Peer;
  let guide: Guide;
  let site: RunningInstallation;

  before(async () => {
    folder = ending.use(await temporaryFolder()).path;
    const place = { bucket: "offsite", region: "us-east-1", now: systemClock.now };
    peer = ending.use(await s3Peer({ ...place, ...key }));
    values["/tmp/trial"] = join(folder, "trial");
    guide = ending.use(await followGuide({ document: DOCUMENT, folder, values }));
    const data = join(folder, "data");
    await guide.also(`export WATCHPOST_DATA=${data} WATCHPOST_LISTEN=127.0.0.1:4848`);
  });
  after(() => ending.disposeAsync());

  /** The settings of the guide, for this machine. */
  const configure = async (settings: string): Promise<void> => {
    const text = settings
      .replaceAll(sampleKey, values[sampleKey] ?? "")
      .replace("/mnt/backups", join(folder, "mounted"))
      .replace("https://s3.example.com", peer.endpoint);
    await writeFile(join(folder, "watchpost.env"), `${text}\n`);
  };
  const begin = async (token?: string): Promise<void> => {
    site = ending.use(await start(folder, { WATCHPOST_DATA: join(folder, "data") }, token));
  };
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${site.base}/metrics`)).text();
    return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
  };

  test("a key is made, of which the public one is printed", async () => {
    const [made = ""] = /^age1\w+$/m.exec(await guide.follow("Make a key")) ?? [];
    assert.notEqual(made, "");
    values[sampleKey] = made;
  });

  test("the service stores its first backup in the folder by itself, and knows when the next one is due", async () => {
    await mkdir(join(folder, "mounted"));
    await configure(inFolder);
    await begin();
    await site.api("POST checks", { type: "PUSH", label: "Home page", enabled: true });
    const [stored = ""] = await waitFor("the first backup", async () => {
      const names = await readdir(join(folder, "mounted"));
      return names.some((name) => name.endsWith(".age")) && names;
    });
    assert.match(stored, /^watchpost-[0-9a-f]{8}-\d{8}T\d{6}Z\.tar\.gz\.age$/);
    await waitFor(
      "the metrics",
      async () => (await metric("watchpost_app_backup_stored_total")) === 1,
    );
    assert.ok((await metric("watchpost_backup_last_size_bytes")) > 1000);
    const now = systemClock.now() / 1000;
    const due = await metric("watchpost_backup_due_timestamp_seconds");
    assert.ok(due > now && due <= now + 86_400, String(due));
    await site.kill("SIGTERM");
  });

  test("a backup is stored in the bucket, listed, verified and tried in another data folder", async () => {
    await configure(inBucket);
    const said = await guide.follow("Try it");
    assert.match(said, /^Stored watchpost-\S+ in s3:\/\/offsite\/watchpost\/: .* 1 check and /m);
    assert.match(said, /^watchpost-\S+ can be restored: .* 1 check and /m);
    const [name = ""] = peer.objects.keys();
    assert.match(name, /^watchpost\/watchpost-.*\.age$/);
    assert.equal(peer.uploads.size, 0);
  });

  test("the backup is restored on a machine that has nothing", async () => {
    await guide.also("mv data lost");
    const [here = "", trial = ""] = guide.commands("Restore");
    assert.match(await guide.also(here), /^Restored "watchpost-\S+", as of /m);
    assert.match(await guide.also(trial), /^Restored "watchpost-\S+", as of /m);
    await begin(site.token);
    const checks: Readonly<Record<string, { readonly label: string }>> =
      await site.api("GET checks");
    assert.deepEqual(
      Object.values(checks).map(({ label }) => label),
      ["Home page"],
    );
  });

  test("every command of the guide was followed", () => guide.assertFollowed());
});
