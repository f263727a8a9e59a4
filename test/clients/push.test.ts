import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createClientFixture,
  form,
  plainJson,
  type ClientFixture,
  type WireResponse,
} from "./fixture.ts";

interface Pushed {
  readonly id: string;
  readonly checktoken: string;
  /** Recorded results, newest first. */
  readonly found: () => Promise<readonly string[]>;
}

async function pushCheck(site: ClientFixture, parameters: object = {}): Promise<Pushed> {
  const { ask, alice } = site.cast;
  const { body } = await ask(alice, "POST /checks", { type: "PUSH", enabled: true, ...parameters });
  return {
    id: body._id,
    checktoken: body.parameters.checktoken,
    async found() {
      const results = await ask(alice, `GET /results/${body._id}`, { clean: true });
      return results.body.map(({ su, m }: { su: boolean; m: string }) => `${su} ${m}`);
    },
  };
}

const fields = {
  load: { name: "load.1min", min: 0, max: 4 },
  disk: { name: "diskfree./", min: "0.1", max: 1 },
  mount: { name: "mount.1.free", min: 10, max: 100 },
};
const data = {
  load: { "1min": 0.17, "5min": 0.19 },
  diskfree: { "/": 0.96 },
  mount: [
    { filesystem: "/dev/sda1", free: 99 },
    { filesystem: "/dev/sda2", free: "70" },
  ],
  checksum: { "/etc/passwd": "d41d8cd98f00b204e9800998ecf8427e" },
};

/** The body and the status as curl writes them for the script, one after the other and nothing between. */
const said = ({ text, status }: WireResponse): string => `${text}${status}`;
/** Response that the client takes for success. */
const isGood = (answer: WireResponse): boolean => /200|409/.test(said(answer));

test("a POSIX script pushes metrics as JSON, and takes 200 and 409 for having come through", async () => {
  await using site = await createClientFixture("legacy");
  const { id, checktoken, found } = await pushCheck(site, { fields });
  const push = (token: string): Promise<WireResponse> =>
    site.push(`/v1?id=${id}&checktoken=${token}`, {
      headers: { ...plainJson, accept: "*/*", "user-agent": "curl/8.14.1" },
      body: JSON.stringify({ data }),
    });
  for (let sent = 0; sent < 5; sent += 1)
    assert.equal(said(await push(checktoken)), '{"success":true}200');
  const throttled = await push(checktoken);
  assert.ok(isGood(throttled));
  assert.equal(throttled.status, 409);
  assert.match(throttled.text, /hrottl/);
  assert.ok(!isGood(await push("nobody's")));
  assert.deepEqual(await found(), Array(5).fill("true All fields within parameters"));

  await site.cast.clock.advance(60_000);
  assert.equal((await push(checktoken)).status, 200);
  await site.cast.ask(site.cast.alice, `PUT /checks/${id}`, { enabled: false });
  const off = await push(checktoken);
  assert.ok(!isGood(off));
  assert.match(off.text, /Check is not assigned/);
});

test("a PowerShell script pushes id and token within the JSON, and tries again at anything but 200 and 409", async () => {
  await using site = await createClientFixture("legacy");
  const { id, checktoken, found } = await pushCheck(site, { fields });
  const push = async (metrics: object, token = checktoken): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let tries = 4; tries > 0; tries -= 1) {
      const { status } = await site.push("/v1", {
        headers: plainJson,
        body: JSON.stringify({ data: metrics, id, checktoken: token }),
      });
      statuses.push(status);
      if (status === 200 || status === 409) break;
    }
    return statuses;
  };
  assert.deepEqual(await push(data), [200]);
  assert.deepEqual(await push({ ...data, load: { "1min": 9.5 } }), [200]);
  assert.deepEqual(await push({}, "wrong"), [403, 403, 403, 403]);
  assert.deepEqual(await found(), [
    "false load.1min:9.5 (max 4)",
    "true All fields within parameters",
  ]);
});

test("a Python script pushes, and logs the status and the JSON that it was answered", async () => {
  await using site = await createClientFixture("legacy");
  const { id, checktoken, found } = await pushCheck(site, { fields });
  const { diskfree: _, ...rest } = data;
  const answer = await site.push(`/v1?id=${id}&checktoken=${checktoken}`, {
    headers: { ...plainJson, "accept-encoding": "identity", connection: "close" },
    body: JSON.stringify({ data: rest }),
  });
  assert.equal(answer.contentType, "application/json");
  assert.deepEqual([answer.status, JSON.parse(answer.text)], [200, { success: true }]);
  assert.deepEqual(await found(), ["false diskfree./:absent"]);
});

const heartbeats: readonly {
  readonly name: string;
  readonly send: (site: ClientFixture, query: string) => Promise<WireResponse>;
}[] = [
  { name: "nothing", send: (site, query) => site.push(`/v1?${query}`) },
  {
    name: "nothing, and says that it is a form",
    send: (site, query) => site.push(`/v1?${query}`, { headers: form, body: "" }),
  },
  {
    name: "a form of something else",
    send: (site, query) => site.push(`/v1?${query}`, { headers: form, body: "status=200" }),
  },
  {
    name: "id and token as a form",
    send: (site, query) => site.push("/v1", { headers: form, body: query }),
  },
  {
    name: "an empty object",
    send: (site, query) => site.push(`/v1/?${query}`, { headers: plainJson, body: "{}" }),
  },
];

for (const { name, send } of heartbeats) {
  test(`a heartbeat that posts ${name} counts`, async () => {
    await using site = await createClientFixture("legacy");
    const { id, checktoken, found } = await pushCheck(site);
    const answer = await send(site, `id=${id}&checktoken=${checktoken}`);
    assert.equal(said(answer), '{"success":true}200');
    assert.equal((await found()).length, 1);
  });
}
