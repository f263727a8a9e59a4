import type { Guard } from "../guard.ts";

const reports = "src/server/pages/public-reports.test.ts";
const pages = "src/server/pages/status-pages.test.ts";
const resource = "src/api/resources/status-pages/status-pages.test.ts";

/** What strangers are shown without a token. */
export const publicPagesGuards: Readonly<Record<string, Guard>> = {
  "public checks alone": {
    file: "src/store/tables/checks/checks.ts",
    text: '.where("checks.public", "=", 1)',
    without: "",
    test: {
      file: reports,
      name: "a check that is not public is reported nowhere, exactly as one that does not exist",
    },
  },
  "names in place of targets": {
    file: "src/domain/status/public-check.ts",
    text: 'return label === "" || isTarget ? `${type} check` : label;',
    without: "return label;",
    test: {
      file: reports,
      name: "a report whose label is the target shows the type in its place",
    },
  },
  "rate of public pages": {
    file: "src/status-pages/public-pages.ts",
    text: "if (!requests.spend(request.client, 1))",
    without: "if (false)",
    test: { file: reports, name: "one client address may ask so often, and others still may" },
  },
  "markup on public pages": {
    file: "src/kit/html.ts",
    text: "return escapeHtml(plainText(String(part)));",
    without: "return plainText(String(part));",
    test: {
      file: "src/status-pages/markdown.test.ts",
      name: "no text makes markup but that of the program",
    },
  },
  "links of public pages": {
    file: "src/domain/status/markdown.ts",
    text: "\\(((?:https?:\\/\\/|mailto:)[^\\s()]{1,2000})\\)",
    without: "\\(([^\\s()]{1,2000})\\)",
    test: {
      file: "src/status-pages/markdown.test.ts",
      name: '"[x](data:text/html,a)" becomes <p>[x](data:text/html,a)</p>',
    },
  },
  "drafts of incidents": {
    file: "src/store/tables/incidents.ts",
    text: '.where("is_published", "=", 1)',
    without: "",
    test: {
      file: "src/server/pages/incident-pages.test.ts",
      name: "a draft is nowhere before it is published",
    },
  },
  "checks of the account on its pages": {
    file: "src/store/tables/status-pages.ts",
    text: '.where("checks.account_id", "=", accountId)',
    without: "",
    test: {
      file: pages,
      name: "a check of another account is not shown, whatever the page has",
    },
  },
  "passwords of status pages": {
    file: "src/status-pages/page-access.ts",
    text: "if (isProven(page, request)) return undefined;",
    without: "if (page !== undefined) return undefined;",
    test: {
      file: pages,
      name: "a page with a password tells nothing of itself but to who knows it, until it has another",
    },
  },
  "attempts at passwords of status pages": {
    file: "src/status-pages/page-access.ts",
    text: "if (!attempts.spend(`page ${client}`, 1)) return words.tooManyAttempts;",
    without: "",
    test: { file: pages, name: "passwords of pages can be tried so often" },
  },
  "people of the account": {
    file: "src/status-pages/page-access.ts",
    text: "if (found.account.id === page.accountId) return true;",
    without: "return true;",
    test: {
      file: pages,
      name: "a page for who is signed in is shown to people of its account and its parent, and to no stranger",
    },
  },
  "what changed while a page was made": {
    file: "src/status-pages/kept-documents.ts",
    text: "if (before === changes) entries.keep(",
    without: "entries.keep(",
    test: {
      file: "src/status-pages/kept-documents.test.ts",
      name: "a change of its account drops a document, also one that is just being made",
    },
  },
  "age of what is shown": {
    file: "src/status-pages/kept-documents.ts",
    text: "return ageMs < CURRENT_MS ? undefined :",
    without: "return ageMs < Infinity ? undefined :",
    test: {
      file: "src/server/pages/outdated-pages.test.ts",
      name: "while the store commits nothing, pages, badges and feeds say how old they are, and show nothing old as what is",
    },
  },
  "ids of the page alone": {
    file: "src/status-pages/status-figures.ts",
    text: "_id: idOnPage(page, uuid),",
    without: "_id: `${idOnPage(page, uuid)} ${uuid}`,",
    test: {
      file: "test/public-pages/leaks.long.test.ts",
      name: "nothing that strangers are answered has a private word of the account, with a page that is public",
    },
  },
  "domains that the operator allows": {
    file: "src/api/resources/status-pages/from-wire.ts",
    text: "if (isOwn || !isWithinDomains(domain, statusDomains))",
    without: "if (false)",
    test: { file: resource, name: '{"domain":"watchpost.example"} is refused' },
  },
  "images as logos": {
    file: "src/api/resources/status-pages/input.ts",
    text: "formats[format]?.(bytes) === true",
    without: "bytes.length > 0",
    test: { file: resource, name: '{"logo":"data:image/png;base64,PHN2Zz4="} is refused' },
  },
};
