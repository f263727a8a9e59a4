import assert from "node:assert/strict";
import { test } from "node:test";

import { regionalLocale } from "./language.ts";

for (const { language, preferred, locale, hour } of [
  { language: "en", preferred: ["en-US", "en"], locale: "en-US", hour: "2:05 PM" },
  { language: "en", preferred: ["en-GB", "en-US", "en"], locale: "en-GB", hour: "14:05" },
  { language: "en", preferred: ["en", "en-GB"], locale: "en-GB", hour: "14:05" },
  { language: "en", preferred: ["de", "en-US", "en"], locale: "en-DE", hour: "14:05" },
  { language: "en", preferred: ["de-AT", "de", "en-US"], locale: "en-AT", hour: "14:05" },
  { language: "de", preferred: ["en-US", "de-DE"], locale: "de-US", hour: "14:05" },
  { language: "de", preferred: ["de"], locale: "de-DE", hour: "14:05" },
  { language: "en", preferred: ["en-US@posix"], locale: "en-US", hour: "2:05 PM" },
  { language: "en", preferred: [], locale: "en-US", hour: "2:05 PM" },
])
  test(`${language} is written as in ${locale} where the browser prefers ${preferred.join(", ") || "nothing"}`, () => {
    const found = regionalLocale(language, preferred);
    assert.equal(found, locale);
    const time = new Intl.DateTimeFormat(found, { timeStyle: "short", timeZone: "UTC" });
    // Some locales have a narrow space before AM and PM.
    assert.equal(time.format(Date.UTC(2026, 0, 5, 14, 5)).replace("\u202F", " "), hour);
  });
