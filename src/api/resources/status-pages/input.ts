import {
  chartPeriods,
  hostNameOf,
  maxOutageDelayMinutes,
  outageModes,
  pageAccesses,
  pageLanguages,
} from "../../../domain/status/status-page.ts";
import { field } from "../../../schema/field.ts";
import { choice, flag, integer, text } from "../../../schema/scalars.ts";
import { parseTimeZone } from "../../../schema/time-zone.ts";
import { customerid } from "../identifiers.ts";
import { sections } from "./sections.ts";

/** Enough for what a page shows 240 pixels wide; it is kept with the record, and part of an export. */
const MAX_BYTES = 102_400;

const MAX_LENGTH = Math.ceil(MAX_BYTES / 3) * 4 + 40;

const formats: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  png: (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  jpeg: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  webp: (bytes) =>
    bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
};

/** An image as a data URL. An SVG is a document that may contain scripts, so it is refused; what does not begin as its format does, too. */
const logo = field({
  expected: `must be a PNG, JPEG or WebP image of at most ${MAX_BYTES} bytes as a data URL, such as data:image/png;base64,iVBORw0KGgo=`,
  jsonSchema: { type: "string", maxLength: MAX_LENGTH },
  parse(value) {
    if (typeof value !== "string") return undefined;
    const [, format = "", base64 = ""] =
      /^data:image\/(png|jpeg|webp);base64,([\d+/A-Za-z]+={0,2})$/.exec(value.trim()) ?? [];
    const bytes = Buffer.from(base64, "base64");
    const isWhole = bytes.length > 0 && bytes.length <= MAX_BYTES;
    return isWhole && /* guard: images as logos */ formats[format]?.(bytes) === true
      ? `data:image/${format};base64,${bytes.toString("base64")}`
      : undefined;
  },
  empty: "",
});

const MAX_TITLE_LENGTH = 200;
const MAX_TEXT_LENGTH = 10_000;
const MAX_SLUG_LENGTH = 63;
const MAX_DOMAIN_LENGTH = 253;
const PASSWORD = { shortest: 8, longest: 128 };

const slug = field({
  expected: `must be 1 to ${MAX_SLUG_LENGTH} lower-case letters, digits and hyphens`,
  jsonSchema: { type: "string", maxLength: MAX_SLUG_LENGTH },
  parse(value) {
    const name = typeof value === "string" ? value.trim().toLowerCase() : "";
    return /^[\da-z](?:[\da-z-]*[\da-z])?$/.test(name) ? name : undefined;
  },
});

const domain = field({
  expected: "must be a host name such as status.example.com",
  jsonSchema: { type: "string", maxLength: MAX_DOMAIN_LENGTH },
  parse: (value) =>
    typeof value === "string" && !value.includes(":") ? hostNameOf(value.trim()) : undefined,
  empty: "",
});

const password = field({
  expected: `must have ${PASSWORD.shortest} to ${PASSWORD.longest} characters`,
  jsonSchema: { type: "string", maxLength: PASSWORD.longest },
  parse: (value) =>
    typeof value === "string" && value.length >= PASSWORD.shortest ? value : undefined,
});

const timezone = field({
  expected: "must be a time zone such as Europe/Berlin, or hours ahead of GMT such as 5.75",
  jsonSchema: { type: ["string", "number"], maxLength: 64 },
  parse: (value) =>
    typeof value === "string" || typeof value === "number"
      ? parseTimeZone(String(value))
      : undefined,
  empty: "",
});

const color = field({
  expected: "must be a color such as #1d4ed8",
  jsonSchema: { type: "string", maxLength: 7 },
  parse: (value) =>
    typeof value === "string" && /^#[\da-f]{6}$/i.test(value) ? value.toLowerCase() : undefined,
  empty: "",
});

const markdown = field({
  expected: `must be text of at most ${MAX_TEXT_LENGTH} characters`,
  jsonSchema: { type: "string", maxLength: MAX_TEXT_LENGTH },
  parse: (value) => (typeof value === "string" ? value.toWellFormed() : undefined),
  empty: "",
});

export const pageFields = {
  customerid,
  name: text(MAX_TITLE_LENGTH).describe("The title of the page"),
  slug: slug.describe(
    "The last part of its URL, `/status/<slug>`, which no other page has; the id in lower case if missing",
  ),
  domain: domain.describe(
    "A host name under which it is shown too; the installation must allow it (`WATCHPOST_STATUS_DOMAINS`). Empty text for none",
  ),
  enabled: flag.describe("Whether it is shown at all; true if missing"),
  access: choice(pageAccesses).describe(
    "Who is shown it: everybody (`public`), who knows the password, or who is signed in to the account or its parent; public if missing",
  ),
  password: password.describe("Needed with the access `password`; never shown"),
  language: choice(pageLanguages).describe("That of its own words; en if missing"),
  timezone: timezone.describe(
    "Of the times on it, as for accounts; that of the account if missing or empty",
  ),
  intro: markdown.describe("Text above the checks, in Markdown without HTML"),
  footer: markdown.describe("Text at the end, in Markdown without HTML"),
  color: color.describe("The color of its head, such as `#1d4ed8`. Empty text for none"),
  logo: logo.describe(
    "A PNG, JPEG or WebP image of at most 100 KiB as a data URL. Empty text for none",
  ),
  charts: choice(["none", ...chartPeriods]).describe(
    "Whether each check has a chart of its response times, of the last 24 hours or 90 days; none if missing",
  ),
  sections: sections.describe(
    "What is on it: sections with a name and checks, each with its id and the name that readers see; without a name the label is shown, unless that is the target. It replaces the previous list",
  ),
  subscribe: flag.describe(
    "Whether it has a form by which readers subscribe by mail, where the installation sends mails; true if missing. Those who have subscribed stay",
  ),
  outageincidents: choice(outageModes).describe(
    "What an outage of one of its checks does: nothing (`off`, the default), a draft of an incident (`draft`), or an incident (`post`)",
  ),
  outagedelay: integer(0, maxOutageDelayMinutes).describe(
    "For how many minutes a check is down before that; 5 if missing",
  ),
};
