import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { test } from "node:test";

import { createApiFixture } from "../../api-fixture.ts";
import { httpServer } from "../../harnesses/http-server.ts";
import { portOf } from "../../peers/tcp.ts";
import { aCheck, aFlip } from "../../record-builders.ts";
import { openContext } from "../../servers/chromium.ts";
import { sharedChromium } from "../../servers/shared-chromium.ts";
import { faultsInAllLooks, faultsOf } from "../dashboard/dashboard.ts";

const hostile = '<img src=x onerror="document.title=1"> & more';

/** A status page of a check that is up, with an incident that is open. */
async function watchpost() {
  const fixture = await createApiFixture();
  const { store, clock, alice, ask, deps } = fixture;
  const id = `${alice.account.id}-SHOP`;
  const { no } = await store.write((tx) =>
    tx.checks.insert(aCheck("SHOP", { accountId: alice.account.id, id })),
  );
  const at = clock.now();
  await store.write((tx) => tx.states.flip(aFlip(no, { id: "up", to: "passing", at, since: at })));
  const sections = [{ name: "", checks: [{ id, name: "Home page" }] }];
  for (const page of [
    { name: "Shop", slug: "shop", sections },
    { name: "Other", slug: "other", sections, access: "password", password: "correct horse" },
  ])
    assert.equal((await ask(alice, "POST /statuspages", page)).status, 200);
  const { body } = await ask(alice, "POST /incidents", { name: hostile });
  const server = httpServer({ deps });
  const address = await server.listen({ port: 0, host: "127.0.0.1" });
  return {
    address,
    resolve: () => ask(alice, `PUT /incidents/${body._id}`, { stage: "resolved" }),
    async [Symbol.asyncDispose]() {
      await server.close();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

/** Somebody's product, with as strict a policy as allows for the widget. */
async function product(origin: string): Promise<Server> {
  const server = createServer(({ url = "/" }, response) => {
    const slug = url.slice(1);
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`,
    });
    const script = `<script async src="${origin}/status/${slug}/widget.js" data-into="footer"></script>`;
    response.end(
      `<!doctype html><html lang="en"><head><title>Product</title><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${script}</head><body><main><h1>Product</h1></main><footer></footer></body></html>`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

test("the widget shows a public page in a foreign page with a strict policy, and nothing where it cannot", async () => {
  await using stack = new AsyncDisposableStack();
  const { address, resolve } = stack.use(await watchpost());
  const foreign = await product(address);
  stack.defer(() => void foreign.close());
  const context = await openContext(await sharedChromium());
  stack.defer(() => context.close());
  const page = await context.newPage();
  const faults = faultsOf(page);
  const base = `http://127.0.0.1:${portOf(foreign)}`;
  await page.goto(`${base}/shop`);
  const link = page.getByRole("link", { name: "There is an open incident" });
  await link.waitFor();
  assert.equal(await link.innerText(), `◆ There is an open incident: ${hostile}`);
  assert.equal(await link.getAttribute("href"), `${address}/status/shop`);
  assert.deepEqual(await faultsInAllLooks(page, "widget"), []);
  await page.keyboard.press("Tab");
  assert.equal(await link.evaluate((element) => element.matches(":focus-visible")), true);
  // Routed requests bypass the browser's cache.
  await page.route("**/status.json", (route) => route.continue());
  await resolve();
  await page.reload();
  await page.getByRole("link", { name: "Everything is operational" }).waitFor();
  assert.equal(await page.title(), "Product");
  assert.deepEqual(faults, []);

  await page.route("**/status.json", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await page.reload();
  await failed;
  const widget = page.locator("footer > span");
  await widget.waitFor({ state: "attached" });
  assert.equal(await widget.isVisible(), false);
  const refused = page.waitForEvent("requestfailed", (request) => request.url().includes("other"));
  await page.goto(`${base}/other`);
  await refused;
  assert.equal(await page.locator("footer > span").count(), 0);
});
