import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { Incident } from "../../src/domain/status/incident.ts";
import { badgeJson, badgeSvg } from "../../src/status-pages/badge.ts";
import { atomFeed, jsonFeed, rssFeed } from "../../src/status-pages/feeds.ts";
import { listChecksJson, statusJson } from "../../src/status-pages/status-figures.ts";
import { statusDocument } from "../../src/status-pages/status-content.ts";
import type { StatusView } from "../../src/status-pages/status-view.ts";
import { anIncident, aStatusPage } from "../record-builders.ts";

/** All texts that people write on a status page: the first four are plain, the others in Markdown. */
interface Texts {
  readonly title: string;
  readonly section: string;
  readonly check: string;
  readonly incident: string;
  readonly intro: string;
  readonly footer: string;
  readonly update: string;
}

const plain: Texts = {
  title: "x",
  section: "x",
  check: "x",
  incident: "x",
  intro: "x",
  footer: "x",
  update: "x",
};
const hostile = [
  "<script>alert(1)</script>",
  "</style><img src=x onerror=alert(1)>",
  '" autofocus onfocus=alert(1) x="',
  "' onmouseover='alert(1)",
  "]]><x/>",
  "--><b>",
  "&lt;b&gt;&#60;b&#62;",
  "[a](javascript:alert(1))",
  '[a](https://x/" onclick="alert(1))',
  "**<b>**`</code><b>`",
  "$&$`$'$1",
  "\u0000\u0001\u0008\u001b\u007f\u0085\u2028\ufffe\uffff\ud800",
  "\u202eevil",
  "]]>",
  "{{constructor}}",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary", maxLength: 20 })), {
    maxLength: 5,
  })
  .map((parts) => `x${parts.join("")}`);

function viewOf(texts: Texts): StatusView {
  const update = { at: 1000, stage: "investigating", text: texts.update } as const;
  const incident: Incident = anIncident("I", { title: texts.incident, updates: [update] });
  const { title, intro, footer } = texts;
  return {
    page: aStatusPage("PAGE", { title, intro, footer }),
    timeZone: "UTC",
    state: "operational",
    incidents: [incident],
    takesSubscribers: true,
    sections: [
      {
        name: texts.section,
        state: "operational",
        checks: [{ name: texts.check, uuid: "u", state: "operational", days: [], percent: 100 }],
      },
    ],
  };
}

const address = "https://watchpost.example/status/shop";
const documents = {
  page: (view: StatusView) => statusDocument(view, "/status/shop"),
  "old page": (view: StatusView) =>
    statusDocument(view, "/status/shop", { since: 0, ageMs: 60_000 }),
  atom: (view: StatusView) => atomFeed(view, address, undefined),
  rss: (view: StatusView) => rssFeed(view, address, undefined),
  badge: ({ page, state }: StatusView) => badgeSvg({ label: page.title, message: "Up", state }),
};

/** Every tag with the names of its attributes: in texts and values there is no angle bracket and no quotation mark. */
function tagsOf(markup: string): readonly string[] {
  const tags = markup.match(/<[^>]*>/g) ?? [];
  return tags.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
}

for (const [name, documentOf] of Object.entries(documents)) {
  const markupOf = (texts: Texts): string => String(documentOf(viewOf(texts)).body);

  test(`${name}: no plain text makes an element or an attribute`, () => {
    const usual = tagsOf(markupOf(plain));
    fc.assert(
      fc.property(text, text, text, (title, section, check) => {
        const texts = { ...plain, title, section, check, incident: title };
        assert.deepEqual(tagsOf(markupOf(texts)), usual);
      }),
    );
  });

  test(`${name}: no Markdown makes more than paragraphs, headings, lists, emphasis, code and links to the web`, () => {
    const usual = new Set(tagsOf(markupOf(plain)));
    const made = /^<(?:\/?(?:p|h3|ul|li|strong|em|code)\s*|br ?\/|a href="" rel=""|\/a\s*)>$/;
    fc.assert(
      fc.property(text, text, text, (intro, footer, update) => {
        const markup = markupOf({ ...plain, intro, footer, update });
        for (const tag of tagsOf(markup)) assert.ok(usual.has(tag) || made.test(tag), tag);
        for (const [, url = ""] of markup.matchAll(/ href="([^"]*)"/g))
          assert.match(url, /^(?:https?:\/\/|mailto:|\/status\/shop\/)/);
      }),
    );
  });

  test(`${name}: no text has characters that XML forbids, or that mislead`, () => {
    fc.assert(
      fc.property(text, (each) => {
        const texts = { title: each, section: each, check: each, incident: each };
        const markup = markupOf({ ...texts, intro: each, footer: each, update: each });
        assert.ok(markup.isWellFormed());
        // oxlint-disable-next-line no-control-regex -- these are what it is about
        assert.doesNotMatch(markup, /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\ufffe\uffff]/);
      }),
    );
  });
}

test("what programs read is JSON whatever the texts are", () => {
  fc.assert(
    fc.property(text, text, (title, update) => {
      const view = viewOf({
        ...plain,
        title,
        section: title,
        check: title,
        incident: title,
        update,
      });
      const badge = { label: title, message: "Up", state: view.state };
      for (const { body } of [
        statusJson(view, undefined),
        listChecksJson(view, undefined),
        jsonFeed(view, address, undefined),
        badgeJson(badge),
      ])
        assert.equal(typeof JSON.parse(String(body)), "object");
    }),
  );
});
