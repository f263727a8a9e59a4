import assert from "node:assert/strict";
import test from "node:test";

import { contextOf } from "../../../test/contracts/check-type.ts";
import { httpPeer } from "../../../test/peers/http.ts";
import { httpAdvCheck } from "./httpadv.ts";
import { httpCheck } from "./http.ts";
import { createRunCookies } from "./run-cookies.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");

interface Row {
  readonly set: string;
  readonly at?: string;
  /** Expected cookies sent back for each. */
  readonly sent: Readonly<Record<string, string | undefined>>;
}

const HOME = "http://www.example.com/";
const rows: readonly Row[] = [
  {
    set: "a=b",
    sent: {
      [HOME]: "a=b",
      [`${HOME}any/where?c=d`]: "a=b",
      "https://www.example.com:8443/": "a=b",
      "http://example.com/": undefined,
      "http://sub.www.example.com/": undefined,
    },
  },
  { set: "a=b=c; HttpOnly; SameSite=Lax", sent: { [HOME]: "a=b=c" } },
  { set: "a=", sent: { [HOME]: "a=" } },
  { set: "a", sent: { [HOME]: undefined } },
  { set: "=b", sent: { [HOME]: undefined } },
  { set: `a=${"b".repeat(5000)}`, sent: { [HOME]: undefined } },
  { set: "a=b; Secure", sent: { [HOME]: undefined, "https://www.example.com/": "a=b" } },
  {
    set: "a=b; Domain=.Example.com",
    sent: { [HOME]: "a=b", "http://example.com/": "a=b", "http://notexample.com/": undefined },
  },
  { set: "a=b; domain=com", sent: { [HOME]: undefined, "http://example.com/": undefined } },
  { set: "a=b; domain=example.org", sent: { [HOME]: undefined, "http://example.org/": undefined } },
  { set: "a=b; domain=0.0.1", at: "http://127.0.0.1/", sent: { "http://127.0.0.1/": undefined } },
  { set: "a=b; domain=127.0.0.1", at: "http://127.0.0.1/", sent: { "http://127.0.0.1/": "a=b" } },
  {
    set: "a=b; path=/in",
    sent: {
      [HOME]: undefined,
      [`${HOME}in`]: "a=b",
      [`${HOME}in/side`]: "a=b",
      [`${HOME}inside`]: undefined,
    },
  },
  {
    set: "a=b; path=else",
    at: `${HOME}in/start`,
    sent: { [`${HOME}in/end`]: "a=b", [HOME]: undefined },
  },
  { set: "a=b; Max-Age=0", sent: { [HOME]: undefined } },
  { set: "a=b; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT", sent: { [HOME]: "a=b" } },
  { set: "a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", sent: { [HOME]: undefined } },
  { set: "a=b; Expires=Fri, 01 Jan 2100 00:00:00 GMT", sent: { [HOME]: "a=b" } },
];

for (const { set, at = HOME, sent } of rows) {
  test(`the cookie ${JSON.stringify(set.slice(0, 60))} of ${at} is kept where browsers do`, () => {
    const cookies = createRunCookies(() => NOW);
    cookies.keep(new URL(at), [set]);
    for (const [to, line] of Object.entries(sent))
      assert.equal(cookies.addTo(new URL(to), {})["Cookie"], line, to);
  });
}

test("a cookie is set anew and taken back, and gives way to none of another name", () => {
  const cookies = createRunCookies(() => NOW);
  const url = new URL(HOME);
  cookies.keep(url, ["a=1", "b=2"]);
  cookies.keep(url, ["a=3"]);
  const sent = { cookie: "a=0; own=1", Accept: "*/*" };
  assert.deepEqual(cookies.addTo(url, sent), { Accept: "*/*", cookie: "own=1; b=2; a=3" });
  cookies.keep(url, ["a=; Max-Age=0", "b=; Max-Age=-1"]);
  assert.deepEqual(cookies.addTo(url, sent), sent);
});

test("what is kept and what is sent is bounded", () => {
  const cookies = createRunCookies(() => NOW);
  const url = new URL(HOME);
  for (let page = 0; page < 3; page += 1)
    cookies.keep(
      url,
      Array.from({ length: 100 }, (_, index) => `n${page}-${index}=${"x".repeat(1000)}`),
    );
  const line = cookies.addTo(url, {})["Cookie"] ?? "";
  assert.ok(line.length > 15_000 && line.length < 17_000, String(line.length));
});

// guard: cookies stay with their host
test("a page that redirects to itself until its cookie comes back is reached, and no cookie goes to another host", async () => {
  const elsewhere: (string | undefined)[] = [];
  await using other = await httpPeer((request, response) => {
    elsewhere.push(request.headers.cookie);
    response.end();
  });
  await using peer = await httpPeer((request, response) => {
    const { cookie } = request.headers;
    if (request.url === "/away")
      response.writeHead(302, {
        Location: other.url.replace("127.0.0.1", "localhost"),
        "Set-Cookie": "seen=1",
      });
    else if (cookie !== "own=1; seen=yes" && cookie !== "seen=yes")
      response.writeHead(302, {
        Location: request.url,
        "Set-Cookie": "seen=yes; Path=/; HttpOnly",
      });
    response.end();
  });
  const textOf = async (path: string): Promise<string> =>
    (await httpCheck.prepare({ target: `${peer.url}${path}`, follow: true }).run(contextOf())).text;
  assert.equal(await textOf("/"), "200");
  const own = { target: `${peer.url}/`, follow: true, sendheaders: { Cookie: "own=1" } };
  assert.equal((await httpAdvCheck.prepare(own).run(contextOf())).text, "200");
  assert.equal(await textOf("/away"), "200");
  assert.deepEqual(elsewhere, [undefined]);
});
