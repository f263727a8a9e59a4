import assert from "node:assert/strict";
import { test } from "node:test";

import { alice, anAddress, anAccount } from "../../../test/record-builders.ts";
import { sampleAlert } from "../../../test/sample-alert.ts";
import { noSuppressions, type Address } from "../../domain/contact/contact.ts";
import type { AlertKind } from "../../domain/alert/alert.ts";
import type { FinishedDiagnosticsRun } from "../../domain/diagnostics.ts";
import { findDiagnostics } from "./diagnostics.ts";

const run: FinishedDiagnosticsRun = {
  id: "run",
  accountId: alice.id,
  checkNo: 1,
  checkId: "shop",
  outage: sampleAlert("down").outage ?? "",
  location: "fra",
  createdAt: 1,
  attempts: 1,
  endedAt: 2,
  findings: [{ tool: "ping", about: "shop.example.com", text: "no answer" }],
};

for (const { name, kind = "down", finished = [run], has = false, address: changes } of [
  { name: "a Down by mail", has: true },
  { name: "a first result that is down", kind: "first", has: true },
  { name: "a Down whose diagnostics are not finished", finished: [] },
  { name: "a reminder", kind: "reminder" },
  { name: "an Up", kind: "up" },
  { name: "a Down to a webhook", address: { kind: "webhook" } },
  {
    name: "a Down to a mailbox that wants none",
    address: { suppress: { ...noSuppressions, diagnostics: true } },
  },
] as readonly {
  readonly name: string;
  readonly kind?: AlertKind;
  readonly finished?: readonly FinishedDiagnosticsRun[];
  readonly has?: boolean;
  readonly address?: Partial<Address>;
}[]) {
  test(`${name} has ${has ? "" : "no "}diagnostics in it`, async () => {
    const alert = sampleAlert(kind);
    const address = anAddress("mail", changes);
    const item = { alert, kind, address, account: anAccount("ALICE") };
    const { kept, dropped } = await findDiagnostics([item], {
      diagnostics: {
        findFinished: async () => new Map(finished.map((each) => [each.outage, each])),
      },
    });
    const { location, endedAt: at, findings } = run;
    assert.deepEqual(
      kept.map(({ diagnostics }) => diagnostics),
      [has ? { location, at, findings } : undefined],
    );
    assert.deepEqual(dropped, []);
  });
}
