import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createClientFixture,
  jsonWithCharset,
  modes,
  read,
  type ClientFixture,
} from "./fixture.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- the language has no types that an answer could break
type Decoded = any;

interface Wish {
  readonly address?: string;
  readonly name?: string;
  readonly group?: string;
  readonly contact?: string;
  readonly notifydelay: number;
  readonly notifyschedule: string;
}

interface Wanted extends Readonly<Record<string, unknown>> {
  readonly notifications: readonly Wish[];
}

/** Reads the record, compares it with what is wanted, and sends only what differs, with the type. */
function deploymentTool({ send, token }: ClientFixture) {
  const call = async (request: string, data?: object): Promise<Decoded> =>
    read(
      await send(
        `${request}?token=${token}`,
        data === undefined ? {} : { headers: jsonWithCharset, body: JSON.stringify(data) },
      ),
    );

  /** Names of contacts and groups become ids of addresses and groups, found in the two lists. */
  const recipients = async (wishes: readonly Wish[]): Promise<readonly object[]> => {
    const contacts: readonly Decoded[] = Object.values(await call("GET contacts"));
    const groups: readonly (readonly [string, Decoded])[] = Object.entries(
      await call("GET contactgroups"),
    );
    return wishes.map((wish) => {
      const [group] = groups.find(([id, { name }]) => [id, name].includes(wish.group)) ?? [];
      const named = contacts
        .filter(({ name }) => name.trimEnd() === wish.name)
        .flatMap(({ addresses }) => Object.entries<Decoded>(addresses))
        .find(([, { address }]) => address === wish.address)?.[0];
      const known = contacts.find(({ addresses }) => String(wish.contact) in addresses);
      const id = group ?? named ?? (known && wish.contact);
      assert.ok(id, JSON.stringify(wish));
      return { [id]: { delay: wish.notifydelay, schedule: wish.notifyschedule } };
    });
  };

  return {
    call,
    create: async ({ notifications, ...check }: Wanted): Promise<Decoded> => {
      const created = await call("POST checks", {
        ...check,
        notifications: await recipients(notifications),
      });
      assert.ok(created.created, JSON.stringify(created));
      return created;
    },
    update: async (id: string, wanted: Readonly<Record<string, unknown>>): Promise<boolean> => {
      const before = await call(`GET checks/${id}`);
      const known: Readonly<Record<string, unknown>> = { ...before, ...before.parameters };
      const differing = Object.entries(wanted).filter(([name, value]) => known[name] !== value);
      const enabled = wanted.enabled === true ? "true" : "false";
      const after = await call(`PUT checks/${id}`, {
        ...Object.fromEntries(differing.filter(([name]) => name in known && name !== "enabled")),
        ...("enabled" in wanted ? { enabled } : {}),
        type: before.type,
      });
      assert.ok(!("error" in after), JSON.stringify(after));
      for (const name of Object.keys(before)) assert.ok(name in after, name);
      return differing.some(
        ([name, value]) =>
          name !== "enabled" || before.enable !== (value === true ? "active" : "inactive"),
      );
    },
  };
}

for (const mode of modes) {
  test(`${mode}: a deployment tool finds recipients by name, and changes a check only where it differs`, async () => {
    await using site = await createClientFixture(mode);
    const { call, create, update } = deploymentTool(site);
    const { contact } = site.cast.alice;
    const [address] = contact.addresses;
    assert.ok(address);
    const group = await call("POST contactgroups", { name: "My group", members: [address.id] });
    const always = { notifydelay: 3, notifyschedule: "All the time" };

    const check = await create({
      type: "PING",
      label: "ping_my_host",
      target: "example.com",
      interval: 1,
      enabled: true,
      runlocations: "nam",
      sens: 2,
      ipv6: false,
      notifications: [
        { name: contact.name, address: address.address, ...always },
        { group: "My group", notifydelay: 0, notifyschedule: "Nights" },
      ],
    });
    assert.deepEqual(check.notifications, [
      { [address.id]: { delay: 3, schedule: "All the time" } },
      { [group._id]: { delay: 0, schedule: "Nights" } },
    ]);
    const direct = await create({
      type: "HTTP",
      target: "http://example.com/",
      notifications: [
        { contact: address.id, ...always },
        { group: group._id, ...always },
      ],
    });
    assert.equal(direct.notifications.length, 2);

    assert.equal(await update(check._id, { label: "ping_my_host", interval: 1 }), false);
    assert.equal(await update(check._id, { ipv6: true, threshold: 7 }), true);
    assert.equal(await update(check._id, { ipv6: true, threshold: 7, enabled: true }), false);
    assert.equal(await update(check._id, { enabled: false }), true);
    const until = site.cast.clock.now() + 86_400_000;
    assert.equal(await update(check._id, { mute: until }), true);
    const { enable, parameters, mute } = await call(`GET checks/${check._id}`);
    assert.deepEqual([enable, parameters.ipv6, mute], ["inactive", true, until]);

    const all: readonly Decoded[] = Object.values(await call("GET checks"));
    assert.equal(all.find(({ label }) => label === "ping_my_host")._id, check._id);
    assert.ok(!("error" in (await call(`DELETE checks/${check._id}`))));
    assert.ok("error" in (await call(`DELETE checks/${check._id}`)));
  });
}
