import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../../../test/api-fixture.ts";

const missing = { error: "Unable to find that status page" };
const png = `data:image/png;base64,${Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1").toString("base64")}`;

test("a page is made with what is usual, and shown alone and among all by its id", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const { body } = await cast.ask(alice, "POST /statuspages", { name: "Shop" });
  assert.match(body._id, /^[A-Z0-9]{10}$/);
  const now = cast.clock.now();
  assert.deepEqual(body, {
    _id: body._id,
    type: "statuspage",
    customer_id: alice.account.id,
    name: "Shop",
    slug: body._id.toLowerCase(),
    url: `http://watchpost.example/status/${body._id.toLowerCase()}`,
    domain: "",
    enabled: true,
    access: "public",
    haspassword: false,
    language: "en",
    timezone: "",
    intro: "",
    footer: "",
    color: "",
    logo: "",
    charts: "none",
    sections: [],
    subscribe: true,
    outageincidents: "off",
    outagedelay: 5,
    created: now,
    modified: now,
  });
  assert.deepEqual((await cast.ask(alice, `GET /statuspages/${body._id}`)).body, body);
  assert.deepEqual((await cast.ask(alice, "GET /statuspages")).body, { [body._id]: body });
});

test("what is sent is kept, what is not stays, and empty text takes back", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const { body: check } = await cast.ask(alice, "POST /checks", { ...plainCheck, label: "Home" });
  const { body: secret } = await cast.ask(alice, "POST /checks", {
    ...plainCheck,
    target: "http://internal.example/path",
  });
  const sent = {
    name: "Shop",
    slug: "Shop-1",
    domain: "Shop.Status.Example",
    access: "password",
    password: "correct horse",
    language: "de",
    timezone: "Europe/Berlin",
    intro: "a",
    footer: "b",
    color: "#1D4ED8",
    logo: png,
    subscribe: false,
    outageincidents: "draft",
    outagedelay: 10,
    charts: "24h",
    sections: [
      {
        name: "Web",
        checks: [{ id: check._id, name: "Page" }, { id: check._id }, secret._id],
      },
    ],
  };
  const { body: made } = await cast.ask(alice, "POST /statuspages", sent);
  const { password: _password, ...shown } = sent;
  assert.deepEqual(
    { ...made, _id: 0, created: 0, modified: 0 },
    {
      ...shown,
      _id: 0,
      type: "statuspage",
      customer_id: alice.account.id,
      slug: "shop-1",
      url: "http://watchpost.example/status/shop-1",
      domain: "shop.status.example",
      enabled: true,
      haspassword: true,
      color: "#1d4ed8",
      sections: [
        {
          name: "Web",
          checks: [
            { id: check._id, name: "Page" },
            { id: check._id, name: "Home" },
            // Its label is its target.
            { id: secret._id, name: "HTTP check" },
          ],
        },
      ],
      created: 0,
      modified: 0,
    },
  );
  const request = `PUT /statuspages/${made._id}`;
  const { body: changed } = await cast.ask(alice, request, {
    domain: "",
    color: "",
    logo: "",
    timezone: "",
    intro: "",
    enabled: false,
  });
  const { modified, ...rest } = changed;
  const { modified: before, ...whole } = made;
  assert.ok(modified > before);
  assert.deepEqual(rest, {
    ...whole,
    domain: "",
    color: "",
    logo: "",
    timezone: "",
    intro: "",
    enabled: false,
  });
  await cast.ask(alice, `DELETE /checks/${check._id}`);
  const again = await cast.ask(alice, request, { sections: whole.sections });
  assert.deepEqual([again.status, again.body.sections], [200, whole.sections]);
  assert.deepEqual((await cast.ask(alice, `DELETE /statuspages/${made._id}`)).body, {
    ok: true,
    id: made._id,
  });
  assert.deepEqual((await cast.ask(alice, `GET /statuspages/${made._id}`)).body, missing);
});

for (const [parameters, error] of [
  [{ name: undefined }, /^name: required$/],
  [{ slug: "a/b" }, /^slug: must be 1 to 63/],
  [{ slug: "-a" }, /^slug: must be/],
  [{ slug: "x".repeat(64) }, /^slug: must be/],
  [{ domain: "127.0.0.1" }, /^domain: must be a host name/],
  [{ domain: "status.example:80" }, /^domain: must be a host name/],
  [{ domain: "a b.status.example" }, /^domain: must be a host name/],
  [{ domain: "other.example" }, /^domain: not allowed .*WATCHPOST_STATUS_DOMAINS/],
  [{ domain: "notstatus.example" }, /^domain: not allowed/],
  [{ domain: "watchpost.example" }, /^domain: not allowed/],
  [{ access: "everybody" }, /^access: must be one of public, password, signedin$/],
  [{ access: "password" }, /^password: required/],
  [{ password: "short" }, /^password: must have 8 to 128/],
  [{ language: "xx" }, /^language: must be one of/],
  [{ timezone: "Mars/Base" }, /^timezone: must be/],
  [{ color: "red;background:url(x)" }, /^color: must be a color/],
  [{ charts: "1y" }, /^charts: must be /],
  [{ color: "#12345g" }, /^color: must be a color/],
  [{ logo: "data:image/svg+xml;base64,PHN2Zz4=" }, /^logo: must be a PNG/],
  [{ logo: "data:image/png;base64,PHN2Zz4=" }, /^logo: must be a PNG/],
  [{ logo: "https://example.com/logo.png" }, /^logo: must be a PNG/],
  [{ logo: `${png.slice(0, -4)}${"A".repeat(200_000)}` }, /^logo: must be a PNG/],
  [{ outageincidents: "always" }, /^outageincidents: must be one of off, draft, post$/],
  [{ outagedelay: 1441 }, /^outagedelay: must be a whole number from 0 to 1440$/],
  [{ sections: "x" }, /^sections: the entry 1 must be an object/],
  [{ sections: [{ checks: 5 }] }, /^sections: the entry 1 must be/],
  [{ sections: [{ checks: [{ name: "x" }] }] }, /^sections: each check of the entry 1/],
  [{ sections: [{ name: "x".repeat(201) }] }, /^sections: names in the entry 1/],
  [{ sections: [{ checks: ["nobody"] }] }, /^sections: no such check "nobody"$/],
  [
    {
      sections: Array.from({ length: 3 }, () => ({
        checks: Array.from({ length: 99 }, () => "x"),
      })),
    },
    /^sections: must have at most 200 checks/,
  ],
] as const)
  // guard: images as logos
  // guard: domains that the operator allows
  test(`${JSON.stringify(parameters).slice(0, 60)} is refused`, async () => {
    await using cast = await createApiFixture();
    const { status, body } = await cast.ask(cast.alice, "POST /statuspages", {
      name: "Shop",
      ...parameters,
    });
    assert.equal(status, 400);
    assert.match(body.error, error);
    assert.deepEqual((await cast.ask(cast.alice, "GET /statuspages")).body, {});
  });

test("a slug and a domain belong to the page that had them first, of whatever account", async () => {
  await using cast = await createApiFixture();
  const names = { slug: "shop", domain: "shop.status.example" };
  const { body: first } = await cast.ask(cast.alice, "POST /statuspages", { name: "A", ...names });
  const taken = await cast.ask(cast.carol, "POST /statuspages", { name: "C", slug: "shop" });
  assert.deepEqual(
    [taken.status, taken.body.error],
    [400, 'slug: another status page has it "shop"'],
  );
  const { body: other } = await cast.ask(cast.carol, "POST /statuspages", { name: "C" });
  const put = await cast.ask(cast.carol, `PUT /statuspages/${other._id}`, {
    domain: names.domain,
    name: "Changed",
  });
  assert.match(put.body.error, /^domain: another status page has it/);
  assert.deepEqual((await cast.ask(cast.carol, `GET /statuspages/${other._id}`)).body, other);
  await cast.ask(cast.alice, `DELETE /statuspages/${first._id}`);
  const claimed = await cast.ask(cast.carol, `PUT /statuspages/${other._id}`, names);
  assert.equal(claimed.status, 200);
});

test("the checks of another account are refused exactly as those that do not exist", async () => {
  await using cast = await createApiFixture();
  const { body: check } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  for (const who of [cast.bob, cast.carol]) {
    const { status, body } = await cast.ask(who, "POST /statuspages", {
      name: "Mine",
      sections: [{ checks: [check._id] }],
    });
    assert.deepEqual(
      [status, body.error],
      [400, `sections: no such check ${JSON.stringify(check._id)}`],
    );
  }
});

test("neither Carol nor Bob sees or changes a page of Alice, who has those of Bob", async () => {
  await using cast = await createApiFixture();
  const { body: page } = await cast.ask(cast.alice, "POST /statuspages", { name: "Alice's" });
  for (const who of [cast.bob, cast.carol])
    for (const verb of ["GET", "PUT", "DELETE"] as const) {
      const answer = await cast.ask(who, `${verb} /statuspages/${page._id}`, { name: "x" });
      assert.deepEqual([answer.status, answer.body], [404, missing]);
    }
  const { id: customerid } = cast.bob.account;
  const { body: bobs } = await cast.ask(cast.alice, "POST /statuspages", { customerid, name: "B" });
  assert.equal((await cast.ask(cast.bob, `GET /statuspages/${bobs._id}`)).body.name, "B");
});
