import assert from "node:assert/strict";
import test from "node:test";

import { contextOf } from "../../../test/contracts/check-type.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import { httpCheck } from "../http/http.ts";
import { httpAdvCheck } from "../http/httpadv.ts";
import { MAX_TITLE_BYTES, titleOf } from "./page-title.ts";

for (const [page, title] of [
  ["<title>Shop</title>", "Shop"],
  ["<TITLE lang=en>\n  Shop \t front\n</TITLE >", "Shop front"],
  [
    "<title>Fish &amp; chips &#8211; B&#xe4;cker &unknown;</title>",
    "Fish & chips – Bäcker &unknown;",
  ],
  ["<title>a < b</title>", "a < b"],
  ["<!-- <title>old</title> --><title>new</title>", "new"],
  ["<script>'<title>no</title>'</script><title>yes</title>", "yes"],
  ["<titles>no</titles><title>yes</title>", "yes"],
  ["<title>&lt;img src=x&gt;</title>", "<img src=x>"],
  ["<title>a\u0000b\u001b\u202ec&#8238;d</title>", "abcd"],
  [`<title>${"x".repeat(150)}</title>`, "x".repeat(100)],
  [`<title>${"x".repeat(99)}\u{1f600}</title>`, "x".repeat(99)],
  ["<title> &#0; </title>", undefined],
  ["<title>it does not end", undefined],
  ["<!-- <title>no</title>", undefined],
  ["&#x110000; plain text", undefined],
] as const)
  test(`the title of ${JSON.stringify(page.slice(0, 60))} is ${JSON.stringify(title?.slice(0, 40))}`, () => {
    assert.equal(titleOf(Buffer.from(page), "text/html; charset=utf-8"), title);
  });

test("a title is read in the charset of its page", () => {
  const page = Buffer.from('<meta charset="iso-8859-1"><title>größer</title>', "latin1");
  assert.equal(titleOf(page, "text/html"), "größer");
});

test("a title after the beginning of a page is not looked for", () => {
  const page = Buffer.from(`${" ".repeat(MAX_TITLE_BYTES)}<title>late</title>`);
  assert.equal(titleOf(page, "text/html"), undefined);
});

for (const { name, status = 200, type = "text/html", wantsTitle = true, expected } of [
  { name: "a page", expected: "Shop" },
  { name: "a page that nobody asked the title of", wantsTitle: false, expected: undefined },
  { name: "a page that fails", status: 500, expected: undefined },
  { name: "a redirect", status: 302, expected: undefined },
  { name: "a text", type: "text/plain", expected: undefined },
] as const)
  for (const checkType of [httpCheck, httpAdvCheck])
    test(`the ${checkType.type} run of ${name} reports ${expected ?? "no title"}`, async () => {
      await using peer = await httpPeer((_, response) => {
        response.writeHead(status, { "Content-Type": type }).flushHeaders();
        setImmediate(() => response.end(`<p>${" ".repeat(9000)}<title>Shop</title>`));
      });
      const { run } = checkType.prepare({ target: peer.url });
      assert.equal((await run(contextOf({ wantsTitle }))).title, expected);
    });

test("the title of the page that a redirect leads to is reported", async () => {
  await using peer = await httpPeer((request, response) => {
    const isFirst = request.url === "/";
    response.writeHead(isFirst ? 302 : 200, { Location: "/in", "Content-Type": "text/html" });
    response.end(`<title>${isFirst ? "Moved" : "Here"}</title>`);
  });
  const { run } = httpCheck.prepare({ target: `${peer.url}/`, follow: true });
  assert.equal((await run(contextOf({ wantsTitle: true }))).title, "Here");
});

test("no title holds the credentials of the target", async () => {
  await using peer = await httpPeer((_, response) =>
    response.writeHead(200, { "Content-Type": "text/html" }).end("<title>of hunter22</title>"),
  );
  const target = peer.url.replace("//", "//alice:hunter22@");
  const { title } = await httpCheck.prepare({ target }).run(contextOf({ wantsTitle: true }));
  assert.equal(title, "of (hidden)");
});

test("a page that does not end passes, with the title that came until it took too long", async () => {
  await using peer = await httpPeer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).write("<title>Shop</title>");
  });
  const waits: number[] = [];
  const { passed, title } = await httpCheck.prepare({ target: peer.url }).run(
    contextOf({
      wantsTitle: true,
      setTimer(run, ms) {
        waits.push(ms);
        setTimeout(run, 50);
        return { cancel() {} };
      },
    }),
  );
  assert.deepEqual([passed, title, waits], [true, "Shop", [1000]]);
});
