import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../test/api-fixture.ts";
import { samples } from "../../../../test/checks/samples.ts";
import { checkTypes } from "../../../checks/registry.ts";

test("a check of any type is kept with each parameter as it was sent", async () => {
  await using cast = await createApiFixture();
  for (const { type } of checkTypes) {
    const sent = samples[type]?.full ?? {};
    const made = await cast.ask(cast.alice, "POST /checks", { type, ...sent });
    assert.equal(made.status, 200, made.text);
    const read = await cast.ask(cast.alice, `GET /checks/${made.body._id}`);
    for (const { parameters } of [made.body, read.body]) {
      const { checktoken: _checktoken, ...rest } = parameters;
      assert.deepEqual(rest, { threshold: 5, ...sent }, type);
    }
  }
});

/** Parameters that some clients send for every type, supported or not. */
const everything = {
  label: "",
  interval: 15,
  enabled: false,
  public: false,
  runlocations: null,
  homeloc: false,
  threshold: 5,
  sens: 2,
  dep: "",
  notifications: "",
  mute: false,
  autodiag: false,
  checktoken: "reset",
  oldresultfail: false,
  fields: "",
  data: "",
  postdata: "",
  method: "",
  statuscode: 200,
  sendheaders: "",
  receiveheaders: "",
  contentstring: "",
  regex: false,
  invert: false,
  follow: false,
  verify: "true",
  ipv6: false,
  secure: false,
  username: "",
  password: "",
  sshkey: false,
  email: "",
  warningdays: "",
  ignore: "",
  dnstype: "A",
  dnstoresolve: "",
  dnsrd: 1,
  transport: "udp",
  verifyvolume: false,
  volumemin: -45,
};

/** Parameters that each type keeps in addition to those of all types. */
const kept: Readonly<Record<string, readonly string[]>> = {
  AUDIO: ["verifyvolume", "volumemin"],
  DNS: ["dnstype", "dnsrd", "transport"],
  HTTPADV: ["regex", "statuscode"],
  HTTPCONTENT: ["regex"],
  IMAP4: ["secure"],
  MYSQL: ["secure"],
  POP3: ["secure"],
  PUSH: ["oldresultfail", "checktoken"],
  SIP: ["transport"],
  SMTP: ["secure"],
  SSH: ["sshkey"],
};

test("a check of any type drops what is empty and what it does not have", async () => {
  await using cast = await createApiFixture();
  for (const { type } of checkTypes) {
    const least = samples[type]?.least ?? {};
    const { status, body, text } = await cast.ask(cast.alice, "POST /checks", {
      ...everything,
      type,
      ...least,
    });
    assert.equal(status, 200, text);
    assert.deepEqual(
      Object.keys(body.parameters).toSorted(),
      [
        ...Object.keys(least),
        "threshold",
        "sens",
        "follow",
        "invert",
        "ipv6",
        "verify",
        ...(kept[type] ?? []),
      ].toSorted(),
      type,
    );
    assert.equal(body.parameters.verify, "true");
  }
});

test("a type that needs a target says so, and a check of another is called by its type", async () => {
  await using cast = await createApiFixture();
  for (const { type, needsTarget } of checkTypes) {
    const { target: _target, ...sent } = samples[type]?.least ?? {};
    const { status, body } = await cast.ask(cast.alice, "POST /checks", { type, ...sent });
    assert.deepEqual(
      [status, body.error ?? body.label],
      needsTarget ? [400, "A target is required."] : [200, type],
    );
  }
});

test("a value that a parameter cannot be is refused by its name, and nothing is kept", async () => {
  await using cast = await createApiFixture();
  const sent = { type: "HTTPADV", target: "http://example.com/" };
  const refused = await cast.ask(cast.alice, "POST /checks", {
    ...sent,
    sendheaders: { "X-A": "b\r\nX-C: d" },
  });
  assert.deepEqual(
    [refused.status, refused.body],
    [400, { error: "sendheaders.X-A: must be one line of ASCII text" }],
  );
  assert.deepEqual((await cast.ask(cast.alice, "GET /checks")).body, {});
  const { body: made } = await cast.ask(cast.alice, "POST /checks", sent);
  const { status } = await cast.ask(cast.alice, `PUT /checks/${made._id}`, { statuscode: "2xx" });
  assert.equal(status, 400);
  assert.deepEqual((await cast.ask(cast.alice, `GET /checks/${made._id}`)).body.parameters, {
    target: sent.target,
    threshold: 5,
  });
});

test("objects come as brackets and as JSON text, and text that looks like JSON stays text", async () => {
  await using cast = await createApiFixture();
  const query = new URLSearchParams([
    ["token", cast.alice.token],
    ["type", "HTTPADV"],
    ["target", "http://example.com/"],
    ["sendheaders[X-A]", "b"],
    ["data", '{"a":"b"}'],
    ["receiveheaders", "[]"],
    ["postdata", '{"a":1}'],
  ]);
  const response = await cast.app.inject({
    method: "POST",
    url: `/api/1/checks?${query.toString()}`,
  });
  assert.deepEqual(response.json().parameters, {
    target: "http://example.com/",
    threshold: 5,
    sendheaders: { "X-A": "b" },
    data: { a: "b" },
    receiveheaders: {},
    postdata: '{"a":1}',
  });
});

test("a check warns that its target is not contacted, however that is written", async () => {
  await using cast = await createApiFixture();
  for (const [type, target] of [
    ["SSL", "https://127.0.0.1:8443/"],
    ["SSL", "[::1]"],
    ["WEBSOCKET", "ws://127.0.0.1/"],
    ["DNS", "10.0.0.1"],
    ["PING", "10.0.0.1"],
  ] as const) {
    const { body } = await cast.ask(cast.alice, "POST /checks", { type, target });
    assert.match(body.warning, /only public addresses are contacted from here/, target);
  }
});

test("a DNS check without a target has nothing to warn of", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /checks", { type: "DNS" });
  assert.doesNotMatch(body.warning, /contacted/);
});
