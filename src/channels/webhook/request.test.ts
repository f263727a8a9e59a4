import assert from "node:assert/strict";
import { validateHeaderValue } from "node:http";
import { test } from "node:test";

import * as fc from "fast-check";

import type { AlertKind, Notice } from "../../domain/alert/alert.ts";
import type { WebhookRequest } from "../../domain/contact/contact.ts";
import { sampleNotice, sampleAlertContext } from "../../../test/sample-alert.ts";
import type { Message, RenderedRequest } from "../channel.ts";
import { renderRequest } from "./request.ts";

const usual: WebhookRequest = {
  action: undefined,
  headers: undefined,
  querystrings: undefined,
  data: undefined,
};

function call(
  request: Partial<WebhookRequest>,
  {
    kind = "down",
    address = "https://hooks.example.com/x",
    ...notice
  }: Partial<Notice> & { readonly kind?: AlertKind; readonly address?: string } = {},
): RenderedRequest & Pick<Message, "body"> {
  const settings = { ...usual, ...request };
  const to = { kind: "webhook", address, request: settings };
  const { body, request: rendered } = renderRequest(sampleAlertContext(kind, notice, to));
  return { ...rendered, body };
}

function labelled(label: string): Pick<Notice, "check"> {
  return { check: { ...sampleNotice("down").check, label } };
}

const every =
  "{event}|{_id}|{label}|{target}|{tg}|{type}|{t}|{runtime}|{checktime}|{message}|{m}|{success}|{su}|{downtime}|{downminutes}|{description}|{interval}|{location}";

for (const { kind, expected } of [
  {
    kind: "down",
    expected:
      "down|202601051200ALICE-SHOP0001|Shop|https://shop.example.com/|https://shop.example.com/|HTTP|HTTP|120|2026-01-05 12:00:01 GMT|HTTP status returned: 503|HTTP status returned: 503|false|false|||Sells things|1|nyc",
  },
  {
    kind: "up",
    expected:
      "up|202601051200ALICE-SHOP0001|Shop|https://shop.example.com/|https://shop.example.com/|HTTP|HTTP|120|2026-01-05 12:12:01 GMT|||true|true|12|12|Sells things|1|nyc",
  },
  {
    kind: "first",
    expected:
      "first|202601051200ALICE-SHOP0001|Shop|https://shop.example.com/|https://shop.example.com/|HTTP|HTTP|120|2026-01-05 12:00:01 GMT|HTTP status returned: 503|HTTP status returned: 503|false|false|||Sells things|1|nyc",
  },
] as const) {
  test(`the variables of an alert of kind ${kind} are those of its notice`, () =>
    assert.equal(call({ data: every }, { kind }).body, expected));
}

test("a first failure that goes out as a down is called down", () => {
  const context = sampleAlertContext("first", {}, { request: { ...usual, data: "{event}" } });
  assert.equal(renderRequest({ ...context, kind: "down" }).body, "down");
});

test("the time of a check is the account's own", () => {
  const context = sampleAlertContext("down", {}, { request: { ...usual, data: "{checktime}" } });
  assert.equal(
    renderRequest({ ...context, timeZone: "+05:45" }).body,
    "2026-01-05 17:45:01 GMT+5:45",
  );
});

for (const [minutes, expected] of [
  [0, "after 0 minutes"],
  [1, "after 1 minute"],
  [12, "after 12 minutes"],
] as const) {
  test(`an outage of ${minutes} min is written in singular or plural`, () => {
    const data =
      "{if downtime}after {downtime} {if downminutes}minutes{else}minute{/if}{else}now{/if}";
    const up = { kind: "up", downForMs: minutes * 60_000 } as const;
    assert.equal(call({ data }, up).body, expected);
    assert.equal(call({ data }).body, "now");
  });
}

for (const [action, method, hasBody] of [
  [undefined, "POST", true],
  ["post", "POST", true],
  ["Put", "PUT", true],
  ["delete", "DELETE", true],
  ["get", "GET", false],
  ["HEAD", "HEAD", false],
] as const) {
  test(`the action ${action} is a ${method} ${hasBody ? "with" : "without"} a body`, () => {
    const made = call({ action, data: { a: "b" } });
    assert.deepEqual([made.method, made.body !== ""], [method, hasBody]);
    assert.equal("content-type" in made.headers, hasBody);
  });
}

for (const [data, headers, type, body] of [
  [
    { a: "{label}", n: 5, l: [true, null, "{su}"] },
    {},
    "application/json; charset=utf-8",
    '{"a":"Shop","n":5,"l":[true,null,"false"]}',
  ],
  [["{label}"], {}, "application/json; charset=utf-8", '["Shop"]'],
  [
    '{"a": "{label}", "ms": {runtime}}',
    {},
    "application/json; charset=utf-8",
    '{"a": "Shop", "ms": 120}',
  ],
  ["{label} is {event}", {}, "text/plain; charset=utf-8", "Shop is down"],
  ["[{event}] {label}", {}, "text/plain; charset=utf-8", "[down] Shop"],
  ["{label", {}, "text/plain; charset=utf-8", "{label"],
  ["{label}", { "Content-Type": "text/html" }, "text/html", "Shop"],
  [
    { a: "{label}" },
    { "content-TYPE": "application/vnd.x+json" },
    "application/vnd.x+json",
    '{"a":"Shop"}',
  ],
] as const) {
  test(`the body ${JSON.stringify(data)} is sent as ${type}`, () => {
    const made = call({ data, headers });
    assert.deepEqual([made.headers["content-type"], made.body], [type, body]);
    assert.equal(Object.keys(made.headers).length, 1);
  });
}

// guard: XML of webhooks
test("quotes and line breaks are escaped as the type of a text wants it", () => {
  const notice = labelled('a "b"\n&c=d é');
  const types = [
    ["application/json", 'l=a \\"b\\"\\n&c=d é'],
    ["application/x-www-form-urlencoded", "l=a%20%22b%22%0A%26c%3Dd%20%C3%A9"],
    ["text/plain", 'l=a "b"\n&c=d é'],
    ["text/xml; charset=utf-8", "l=a &quot;b&quot;\n&amp;c=d é"],
    ["application/soap+xml", "l=a &quot;b&quot;\n&amp;c=d é"],
    ["text/html", "l=a &quot;b&quot;\n&amp;c=d é"],
  ] as const;
  for (const [type, body] of types)
    assert.equal(call({ data: "l={label}", headers: { "content-type": type } }, notice).body, body);
});

test("a text for a receiver of XML has no character that XML does not know", () => {
  const notice = labelled("</name>\0\u001B[31m\uFFFF\tred");
  const settings = { data: "<name>{label}</name>", headers: { "content-type": "text/xml" } };
  assert.equal(call(settings, notice).body, "<name>&lt;/name&gt;[31m\tred</name>");
});

for (const [address, querystrings, url] of [
  ["https://h.example/", {}, "https://h.example/"],
  ["https://h.example/{label}?e={event}#{label}", {}, "https://h.example/Shop?e=down"],
  [
    "https://h.example/x",
    { a: "{label} & co", "b c": "" },
    "https://h.example/x?a=Shop%20%26%20co&b%20c=",
  ],
  ["https://h.example/x?k=1", { a: "{su}" }, "https://h.example/x?k=1&a=false"],
  ["https://h.example/x#top", { a: "1" }, "https://h.example/x?a=1"],
] as const) {
  test(`${address} with ${JSON.stringify(querystrings)} is called at ${url}`, () =>
    assert.equal(call({ querystrings }, { address }).url, url));
}

test("what is too long once it is filled in is refused", () => {
  const notice = labelled("x".repeat(1000));
  const begins = (message: string) => ({
    code: "invalid_input",
    message: new RegExp(`^${message}`),
  });
  const address = `https://h.example/${"{label}".repeat(9)}`;
  assert.throws(() => call({}, { address, ...notice }), begins("address: longer than 8000"));
  assert.throws(
    () => call({ data: "{label}".repeat(300) }, notice),
    begins("data: longer than 262144"),
  );
});

test("headers that are too long once they are filled in are refused", () => {
  const notice = labelled("x".repeat(500));
  const headers = { a: "{label}".repeat(16), b: "{label}".repeat(16) };
  assert.equal(call({ headers }, notice).headers.a?.length, 8000);
  assert.throws(() => call({ headers: { ...headers, c: "{label}" } }, notice), {
    code: "invalid_input",
    message: "headers: longer than 16384 characters once it is filled in",
  });
});

test("a text of more than a thousand characters is cut", () => {
  const notice = labelled(`${"x".repeat(999)}😀y`);
  assert.equal(call({ data: "{label}" }, notice).body, `${"x".repeat(999)}\uFFFD`);
});

/** Text that a stranger might put into a label or a message. */
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        '"',
        "\\",
        "{",
        "}",
        "{label}",
        "\r\n",
        "\u2028",
        "\uD800",
        "&",
        "#",
        "?",
        "@",
        "/",
        "..",
        ":",
        "%0d%0a",
        "X-Evil: 1",
        "é",
        "😀",
      ),
    )
    .map((parts) => parts.join("")),
);

// guard: JSON of webhooks
test("whatever a label holds, JSON stays JSON and holds that label", () => {
  fc.assert(
    fc.property(hostile, (label) => {
      const notice = labelled(label);
      const expected = label.slice(0, 1000).toWellFormed();
      const object = call({ data: { text: "{label}", list: ["<{label}>"] } }, notice);
      assert.deepEqual(JSON.parse(object.body ?? ""), { text: expected, list: [`<${expected}>`] });
      const text = call({ data: '{"text":"{label}"}' }, notice);
      assert.deepEqual(JSON.parse(text.body ?? ""), { text: expected });
      assert.equal(text.headers["content-type"], "application/json; charset=utf-8");
    }),
  );
});

// guard: headers of webhooks
test("whatever a label holds, a header is one line that can be sent", () => {
  fc.assert(
    fc.property(hostile, (label) => {
      const { headers } = call({ headers: { "X-Title": "<{label}>" } }, labelled(label));
      const value = headers["x-title"] ?? "";
      validateHeaderValue("x-title", value);
      assert.doesNotMatch(value, /[\r\n]/);
      assert.deepEqual(Object.keys(headers), ["content-type", "x-title"]);
      const read = Buffer.from(value, "latin1").toString("utf8");
      assert.doesNotMatch(read, /[\p{Cc}\p{Zl}\p{Zp}]/u);
      assert.ok(read.startsWith("<") && read.endsWith(">"));
    }),
  );
});

// guard: hosts of webhooks
test("whatever a label holds, a call goes to the same host, and its parameters stay as many", () => {
  fc.assert(
    fc.property(hostile, (label) => {
      const address = "https://user@h.example:8443/in/{label}?a={label}&b=1";
      const made = call({ querystrings: { c: "{label}" } }, { address, ...labelled(label) });
      const url = new URL(made.url);
      const expected = label.slice(0, 1000).toWellFormed();
      assert.equal(`${url.username}@${url.host}`, "user@h.example:8443");
      assert.deepEqual(
        [...url.searchParams],
        [
          ["a", expected],
          ["b", "1"],
          ["c", expected],
        ],
      );
    }),
  );
});
