import assert from "node:assert/strict";
import { test } from "node:test";

import { addressesOf } from "./addresses.ts";
import { declarationOf } from "./declare.ts";
import { createFaults } from "./source/faults.ts";
import { createReferences } from "./source/references.ts";
import { parseSource } from "./source/source-file.ts";

/** The addresses of the only contact of a file, and what is wrong with them. */
function declared(addresses: string): {
  readonly entries: readonly object[];
  readonly faults: readonly string[];
} {
  const faults = createFaults((text) => text);
  const text = `contacts: { ops: { addresses: ${addresses} } }`;
  const file = parseSource({ name: "a.yaml", folder: "/", text }, faults) ?? assert.fail();
  const references = createReferences({ TOKEN: "1:Ab" }, faults);
  const account = declarationOf([file], { references, faults });
  const all = addressesOf(account, {
    current: { contacts: {} },
    found: { contacts: new Map() },
    faults,
  });
  return { entries: Object.values(all.get("ops")?.entries ?? {}), faults: faults.lines() };
}

test("the settings of a service make its address", () => {
  const settings = `{ token: "\${env:TOKEN}", chat_id: "-100" }`;
  assert.deepEqual(declared(`[{ service: telegram, settings: ${settings}, mute: true }]`), {
    entries: [
      {
        type: "webhook",
        address: "https://api.telegram.org/bot1:Ab/sendMessage?chat_id=-100",
        mute: true,
      },
    ],
    faults: [],
  });
});

for (const [entry, fault] of [
  ["{ service: Telegram, settings: { chat_id: 1 } }", /addresses\.0: settings\.token: required$/],
  ["{ service: irc, settings: {} }", /addresses\.0\.service: must be one of Alertmanager, /],
  [
    "{ type: sms, service: ntfy, settings: { server: https://ntfy.sh, topic: a } }",
    /only addresses of type webhook/,
  ],
  ["{ type: webhook }", /address: required$/],
] as const)
  test(`${entry} is refused where it stands`, () => {
    const { faults } = declared(`[${entry}]`);
    assert.match(faults.join("\n"), fault);
    assert.match(faults[0] ?? "", /^a\.yaml:1:\d+: contacts\.ops\.addresses\.0/);
  });
