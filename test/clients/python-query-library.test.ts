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

/** Puts the token into the query, unencoded, and all else into a JSON body; an empty one is not sent. */
function queryLibrary({ send, token }: ClientFixture) {
  return async (request: string, data: object = {}): Promise<Decoded> =>
    read(
      await send(
        `${request}${request.includes("?") ? "&" : "?"}token=${token}`,
        Object.keys(data).length === 0
          ? {}
          : { headers: jsonWithCharset, body: JSON.stringify(data) },
      ),
    );
}

const common = {
  interval: 15,
  enabled: false,
  public: false,
  runlocations: null,
  homeloc: false,
  threshold: 5,
  sens: 2,
  dep: "",
  notifications: "",
};
const login = { username: "", password: "" };
const mailbox = { ...login, verify: true, email: "", secure: false, warningdays: "" };
const content = { invert: false, contentstring: "" };
const field = { name: "load.1min", min: "0", max: 4 };

/** The whole set that the library sends for a type, its own defaults for all that the user left out. */
const defaults: readonly (readonly [type: string, own: object])[] = [
  ["AUDIO", { target: "https://example.com", verifyvolume: false, volumemin: -45 }],
  [
    "DNS",
    {
      target: "example.com",
      port: 53,
      transport: "udp",
      dnstype: "A",
      dnsrd: 1,
      contentstring: "",
      dnstoresolve: "",
      verify: false,
    },
  ],
  ["FTP", { target: "ftp.example.com", port: 21, ...login, ...content }],
  ["HTTP", { target: "https://example.com", ipv6: false, follow: false }],
  [
    "HTTPADV",
    {
      target: "https://example.com",
      ...content,
      data: "",
      method: "",
      postdata: "",
      receiveheaders: "",
      sendheaders: "",
      statuscode: 200,
      ipv6: false,
      follow: false,
    },
  ],
  ["HTTPCONTENT", { target: "https://example.com", ...content, ipv6: true, follow: false }],
  ["HTTPPARSE", { target: "https://example.com", fields: { load: field } }],
  ["IMAP4", { target: "mail.example.com", port: 143, ...mailbox }],
  ["MYSQL", { target: "db.example.com" }],
  ["PING", { target: "example.com", ipv6: false }],
  ["POP3", { target: "mail.example.com", port: "", ...mailbox }],
  ["PORT", { target: "example.com", invert: false, port: 443 }],
  ["PUSH", { checktoken: "reset", fields: { load: field }, oldresultfail: false }],
  ["RBL", { target: "example.com", ignore: "" }],
  ["RDP", { target: "example.com" }],
  ["SIP", { target: "example.com" }],
  ["SMTP", { target: "mail.example.com", port: 25, invert: false, ...mailbox }],
  ["SSH", { target: "example.com", port: 22, ...content, ...login }],
  ["SSL", { target: "example.com", warningdays: "" }],
  ["WEBSOCKET", { target: "ws://example.com", ...content, data: "" }],
];

for (const mode of modes) {
  test(`${mode}: a Python library creates, reads, updates and deletes a check of every type with its whole set of defaults`, async () => {
    await using site = await createClientFixture(mode);
    const call = queryLibrary(site);
    for (const [type, own] of defaults) {
      const created = await call("POST checks", { ...own, label: "", ...common, type });
      assert.ok(created.created, type);
      assert.equal(created.type, type);
      assert.notEqual(created.label, "", type);
      const before = await call(`GET checks/${created._id}`);
      assert.equal(before._id, created._id);
      const updated = await call(`PUT checks/${created._id}`, {
        public: false,
        interval: 3,
        type,
      });
      assert.equal(updated.interval, 3);
      assert.deepEqual(updated.parameters, before.parameters, type);
      // A deployment tool takes an update for failed where the answer lacks what the record had.
      for (const key of Object.keys(before)) assert.ok(Object.hasOwn(updated, key), key);
      assert.ok(updated.modified > before.modified);
      assert.deepEqual(await call(`DELETE checks/${created._id}`), { ok: true, id: created._id });
      assert.deepEqual(await call(`GET checks/${created._id}`), {
        error: "Error fetching check.",
      });
      assert.deepEqual(await call(`DELETE checks/${created._id}`), {
        error: "Unable to find that check",
      });
    }
    assert.deepEqual(await call("GET checks"), {});
  });

  test(`${mode}: a Python library distinguishes passing, failing and disabled checks`, async () => {
    await using site = await createClientFixture(mode);
    const call = queryLibrary(site);
    const ids: string[] = [];
    for (const [label, enabled] of Object.entries({ up: true, down: true, new: true, off: false }))
      ids.push(
        (await call("POST checks", { ...common, type: "PING", target: "h", label, enabled }))._id,
      );
    const [up = "", down = "", fresh = "", off = ""] = ids;
    await site.recordResult(up);
    await site.recordResult(down, { passed: false, text: "Timeout", message: "Timeout" });

    const all: Readonly<Record<string, Decoded>> = await call("GET checks");
    assert.deepEqual(Object.keys(all).toSorted(), ids.toSorted());
    assert.deepEqual([all[up].state, all[down].state], [1, 0]);
    assert.ok(!("state" in all[fresh]) && !("state" in all[off]));
    const current: Readonly<Record<string, Decoded>> = await call("GET results/current");
    const types = Object.fromEntries(Object.entries(current).map(([id, { type }]) => [id, type]));
    assert.deepEqual(types, { [down]: "down", [off]: "disabled" });
    const { lastresult } = await call(`GET checks/${down}?lastresult=true`);
    assert.deepEqual([lastresult.su, lastresult.m], [false, "Timeout"]);

    const some = { disableall: 1, disabled: 2, enabled: 2 };
    const every = { disableall: 3, disabled: 4, enabled: 0 };
    for (const [request, counts] of [
      ["PUT checks?label=^u&disableall=true", mode === "legacy" ? some : every],
      ["PUT checks?disableall=true", { ...every, disableall: mode === "legacy" ? 2 : 0 }],
      ["PUT checks?disableall=false", { disableall: 3, disabled: 1, enabled: 3 }],
    ] as const) {
      const { disableall, disabled, enabled } = await call(request);
      assert.deepEqual({ disableall, disabled, enabled }, counts, request);
    }
  });

  test(`${mode}: a Python library looks at results, uptime, events and notifications`, async () => {
    await using site = await createClientFixture(mode);
    const call = queryLibrary(site);
    const { _id: id } = await call("POST checks", {
      ...common,
      type: "PING",
      target: "example.com",
      enabled: true,
    });
    for (const passed of [true, false, true]) await site.recordResult(id, { passed });
    await site.deliverAlerts(id);

    const results = await call(`GET results/${id}?limit=2&clean=True`);
    assert.deepEqual(
      results.map(({ su }: Decoded) => su),
      [true, false],
    );
    const uptime = await call(`GET results/uptime/${id}?interval=months&end=now`);
    assert.deepEqual(Object.keys(uptime), ["2026-01", "total"]);
    assert.deepEqual(uptime["2026-01"], uptime.total);
    assert.equal(uptime.total.down, 1000);
    const since = await call(`GET results/uptime/${id}?interval=days&start=2026-01-01&end=now`);
    assert.equal(Object.keys(since).at(-1), "total");
    const events = await call(`GET results/events/${id}`);
    assert.deepEqual(
      events.map(({ type }: Decoded) => type),
      ["down"],
    );

    const [latest] = await call("GET notifications?limit=1");
    const checkId = latest._id.split("-").slice(0, 2).join("-");
    assert.equal(checkId, id);
    assert.deepEqual(await call(`GET notifications/${checkId}?limit=2`), [latest]);
  });

  test(`${mode}: a Python library manages subaccounts`, async () => {
    await using site = await createClientFixture(mode);
    const call = queryLibrary(site);
    const [own = ""] = Object.keys(await call("GET accounts"));
    assert.equal((await call(`GET accounts?customerid=${own}`))._id, own);
    assert.deepEqual(read(await site.send("GET accounts?token=invalid-customer-token")), {
      error: "Token not found",
    });
    assert.deepEqual(await call("GET accounts?customerid=20191108123456789"), {
      error: "You do not have the correct permissions for that account.",
    });

    // Whatever the function was called with is sent, its own URL included.
    const created = await call("POST accounts", {
      token: site.token,
      url: "https://watchpost.example/api/1/accounts",
      name: "PYTEST",
      contactname: "PYTEST",
      email: "me@example.com",
      timezone: "-6",
      location: "nam",
      emailme: "no",
      autodiagnotifications: false,
      recheckwait: 5,
    });
    const accounts: Readonly<Record<string, Decoded>> = await call("GET accounts");
    const [id] = Object.entries(accounts).find(([, { name }]) => name === "PYTEST") ?? [];
    assert.equal(id, created._id);
    const query = `customerid=${id}`;
    const updated = await call(`PUT accounts?${query}`, { customerid: id, location: "eur" });
    assert.deepEqual(updated.defaultlocations, ["eur"]);
    // It spells the parameter with one p.
    const misspelled = await call(`PUT accounts?accountsupressall=True&${query}`);
    assert.equal(misspelled.accountsuppressall, true);
    assert.deepEqual(await call(`DELETE accounts?${query}`), {
      success: "Records queued for deletion.",
    });
  });

  test(`${mode}: a Python library manages contacts, groups and schedules`, async () => {
    await using site = await createClientFixture(mode);
    const call = queryLibrary(site);
    const contact = await call("POST contacts", {
      name: "PYTEST",
      newaddresses: [
        {
          action: "post",
          address: "https://webhook.example.com",
          data: { event: "{event}", id: "{_id}", label: "{label}", target: "{target}" },
          headers: { "Content-Type": "application/json" },
          type: "webhook",
        },
        { address: "me@example.com", type: "email" },
      ],
      custrole: null,
    });
    assert.equal(contact.custrole, "view");
    const added = await call(`PUT contacts/${contact._id}`, {
      newaddresses: [{ address: "me2@example.com" }, { address: "me3@example.com" }],
    });
    const kinds = Object.values(added.addresses).map(({ type }: Decoded) => type);
    assert.deepEqual(kinds, ["webhook", "email", "email", "email"]);
    assert.deepEqual(
      (await call(`PUT contacts/${contact._id}`)).addresses,
      added.addresses,
      "an update of nothing is sent without a body",
    );
    const all: readonly Decoded[] = Object.values(await call("GET contacts"));
    assert.ok(all.every(({ addresses }) => Object.keys(addresses).length > 0));

    const group = await call("POST contactgroups", { name: "PYTEST_group_name" });
    assert.deepEqual(group.members, []);
    const renamed = await call(`PUT contactgroups/${group._id}`, { name: "PYTEST_other" });
    assert.equal(renamed.name, "PYTEST_other");
    assert.ok(!("error" in (await call(`DELETE contactgroups/${group._id}`))));
    assert.ok(!("error" in (await call(`DELETE contacts/${contact._id}`))));

    const time = { exclude: false, time1: "6:00", time2: "18:00" };
    const week = { friday: { disabled: true }, monday: { allday: true }, saturday: time };
    assert.equal((await call("POST schedules/PYTEST_schedule", { data: week })).ok, true);
    // In Python 0 equals False.
    const shown = { ...time, exclude: mode === "legacy" ? false : 0 };
    assert.deepEqual(await call("GET schedules/PYTEST_schedule"), { ...week, saturday: shown });
    assert.equal(
      (await call("PUT schedules/PYTEST_schedule", { data: { tuesday: time } })).ok,
      true,
    );
    assert.deepEqual((await call("GET schedules")).PYTEST_schedule, { tuesday: shown });
    assert.equal((await call("DELETE schedules/PYTEST_schedule")).ok, true);
  });
}
