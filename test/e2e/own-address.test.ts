import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { test } from "node:test";

import { waitFor } from "../time/wait-for.ts";
import { httpPeer } from "../peers/http.ts";
import { start, temporaryFolder, type CheckRecord, type RunningInstallation } from "./process.ts";

const addCheck = (site: RunningInstallation, parameters: object): Promise<CheckRecord> =>
  site.api("POST checks", { interval: 1, threshold: 5, sens: 0, enabled: true, ...parameters });

test("no alert and no check can command the installation that they are of", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path, { WATCHPOST_LISTEN: "0.0.0.0:0" });
  const port = Number(new URL(site.base).port);
  const pushed = await addCheck(site, { type: "PUSH" });
  const { checktoken = "" } = pushed.parameters;
  const heartbeat = `/v1?id=${pushed._id}&checktoken=${checktoken}`;
  const own = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.flatMap(({ address, family }) => (family === "IPv4" ? address : [])),
  );

  for (const host of ["localhost", "[::ffff:127.0.0.1]", "0.0.0.0", ...own])
    await assert.rejects(
      site.api("POST contacts", {
        newaddresses: [{ address: `http://${host}:${port}${heartbeat}`, type: "webhook" }],
      }),
      /400 .*newaddresses\.0\.address: must not be this installation itself/,
    );

  await using elsewhere = await httpPeer((_, response) =>
    response.writeHead(302, { location: `http://localhost:${port}${heartbeat}` }).end(),
  );
  const looping = await addCheck(site, { type: "HTTPADV", target: elsewhere.url, follow: true });
  const healthy = await addCheck(site, {
    type: "HTTP",
    target: `http://127.0.0.1:${port}/healthz`,
  });
  const { warning } = await site.api("POST checks", {
    type: "HTTP",
    target: `http://[::1]:${port}/api/1/checks?token=${site.token}`,
  });
  assert.match(warning, /checks never call the API/);

  const read = (id: string) => site.api(`GET checks/${id}`);
  const { trouble } = await waitFor("the redirect is refused", async () => {
    const found = await read(looping._id);
    return found.trouble === undefined ? undefined : found;
  });
  assert.equal(
    trouble.message,
    `checks never call the API or the heartbeats of this installation itself: "localhost" (after a redirect to http://localhost:${port}/v1)`,
  );
  await waitFor("its own health is watched", async () => (await read(healthy._id)).state === 1);
  assert.deepEqual(await site.api(`GET results/${pushed._id}`), []);
});
