import assert from "node:assert/strict";
import { test } from "node:test";

import { parseDocument, formatDocument } from "./document.ts";

const whole = {
  watchpost: { version: "1", exported_at: "" },
  account: {
    _id: "A",
    customer_name: "",
    status: "Active",
    timezone: "0.0",
    defaultlocations: ["wlw"],
    emailme: false,
    accountsuppressall: false,
    autodiagnotifications: false,
  },
  contacts: {},
  contactgroups: {},
  schedules: {},
  notificationprofiles: {},
  checks: {},
  maintenance: {},
  statuspages: {},
};
const { watchpost: _, ...withoutHead } = whole;
const check = { type: "HTTP", label: "L", parameters: {}, notifications: [] };

test("a document comes back as it was written", () => {
  const document = {
    ...whole,
    branding: { from: "Shop", downsubject: "" },
    schedules: { Days: { monday: { allday: true } } },
    checks: { c: { ...check, parameters: { fields: { a: { b: [1] } } }, tags: ["x"] } },
    subaccounts: [{ ...withoutHead }],
  };
  const text = JSON.stringify(document);
  assert.deepEqual(JSON.parse(formatDocument(parseDocument(text))), document);
});

const { checks: __, ...withoutChecks } = whole;
const wrong: readonly { name: string; text: string; said: RegExp }[] = [
  { name: "no JSON", text: "{", said: /^the document: malformed JSON$/ },
  { name: "something else", text: "[]", said: /^the document: it: Invalid input/ },
  {
    name: "a section that is missing",
    text: JSON.stringify(withoutChecks),
    said: /^the document: checks: Invalid input/,
  },
  {
    name: "a section that nobody knows",
    text: JSON.stringify({ ...whole, incidents: {} }),
    said: /^the document: incidents: unknown member$/,
  },
  {
    name: "a member that nobody knows",
    text: JSON.stringify({ ...whole, checks: { c: { ...check, intervall: 5 } } }),
    said: /^the document: checks\.c\.intervall: unknown member$/,
  },
  {
    name: "a part of the branding that nobody knows",
    text: JSON.stringify({ ...whole, branding: { form: "Shop" } }),
    said: /^the document: branding\.form: unknown member$/,
  },
  {
    name: "a member of an address that nobody knows",
    text: JSON.stringify({
      ...whole,
      contacts: {
        c: { name: "", custrole: "view", addresses: { a: { type: "email", address: "", x: 1 } } },
      },
    }),
    said: /^the document: contacts\.c\.addresses\.a\.x: unknown member/,
  },
  {
    name: "a role that nobody knows",
    text: JSON.stringify({ ...whole, contacts: { c: { name: "", custrole: "king" } } }),
    said: /^the document: contacts\.c\.custrole: Invalid option/,
  },
  {
    name: "a subaccount with something unknown",
    text: JSON.stringify({ ...whole, subaccounts: [{ ...whole }] }),
    said: /^the document: subaccounts\.0\.watchpost: unknown member/,
  },
  {
    name: "a day that nobody knows",
    text: JSON.stringify({ ...whole, schedules: { s: { mon: {} } } }),
    said: /^the document: schedules\.s/,
  },
  {
    name: "a rule of a day that nobody knows",
    text: JSON.stringify({ ...whole, schedules: { s: { monday: { time3: "8:00" } } } }),
    said: /^the document: schedules\.s\.monday\.time3: unknown member/,
  },
  {
    name: "one id of two records",
    text: JSON.stringify({
      ...whole,
      checks: { web: check },
      contactgroups: { web: { name: "", members: [] } },
    }),
    said: /^the document: two records have the id "web"$/,
  },
  {
    name: "a key that reaches a prototype",
    text: `{"__proto__":{},${JSON.stringify(whole).slice(1)}`,
    said: /^the document: key not allowed "__proto__"$/,
  },
];

for (const { name, text, said } of wrong) {
  test(`${name} is refused by its path`, () => {
    assert.throws(() => parseDocument(text), { message: said });
  });
}
