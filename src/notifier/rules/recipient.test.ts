import assert from "node:assert/strict";
import { test } from "node:test";

import { aContact, alice, anAddress } from "../../../test/record-builders.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";
import type { Alert } from "../../domain/alert/alert.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { findRecipients } from "./recipient.ts";

test("of a contact with a hundred addresses only the one that an alert is for is opened", async () => {
  let opened = 0;
  const sealer = createSealer(new Uint8Array(32));
  const open: typeof sealer.open = (sealed) => {
    opened += 1;
    return sealer.open(sealed);
  };
  await using store = await tempStore({ sealer: { ...sealer, open } });
  const ids = Array.from({ length: 100 }, (_, index) => `address-${index}`);
  await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    await tx.contacts.insert(aContact("ann", { addresses: ids.map((id) => anAddress(id)) }));
  });
  const alertTo = (addressId: string): Alert =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the stage looks at no more of it
    ({ accountId: alice.id, contactId: "ann", addressId }) as Alert;
  const { kept } = await findRecipients(ids.map(alertTo), store);
  assert.deepEqual(
    kept.map(({ address }) => address.id),
    ids,
  );
  assert.equal(opened, ids.length);
});
