import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { loadDashboard } from "./dashboard.ts";

const dashboard = loadDashboard();

test("the document loads its own files alone, and each of them is there", () => {
  const { status, body } = dashboard.document();
  assert.equal(status, 200);
  const known = new Set(dashboard.assets.map(({ path }) => path));
  const loaded = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address ?? "");
  assert.ok(loaded.length >= 3, body);
  for (const address of loaded) assert.ok(known.has(address), address);
  assert.doesNotMatch(body, /<style|style=|<script(?![^>]*src=)/);
});

test("styles that scripts add need a nonce, which is another each time; nothing inline is a script", () => {
  const nonces = [dashboard.document(), dashboard.document()].map(({ headers, body }) => {
    const policy = headers["content-security-policy"] ?? "";
    assert.match(policy, /^default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    for (const directive of ["frame-ancestors 'none'", "base-uri 'none'"])
      assert.ok(policy.includes(directive), directive);
    const nonce = /'nonce-([\w+/]{22}==)'/.exec(policy)?.[1];
    assert.ok(nonce !== undefined && body.includes(`nonce="${nonce}"`), policy);
    return nonce;
  });
  assert.notEqual(nonces[0], nonces[1]);
});

for (const { path, body, br, gzip, headers } of dashboard.assets) {
  test(`${path} is the same however it is sent, and is kept`, () => {
    assert.ok(brotliDecompressSync(br).equals(body));
    assert.ok(gunzipSync(gzip).equals(body));
    assert.match(headers["cache-control"] ?? "", /immutable/);
    assert.match(path, /-[\w-]{8}\.\w+$/);
  });
}

test("where it is not built, the page says what to do", () => {
  const { document, assets, paths } = loadDashboard(new URL("file:///nowhere/"));
  assert.deepEqual(assets, []);
  assert.ok(paths.includes("/"));
  assert.equal(document().status, 503);
  assert.match(document().body, /run "npm run build", and restart/);
});
