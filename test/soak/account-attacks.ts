import { addressesOf, authorizationOf, scaled, type Attack, type Attacker } from "./attack.ts";
import { ambiguousPath, ambiguousTree } from "./ambiguous-tree.ts";
import type { Flood, RawRequest, Repeated } from "./attacking/floods.ts";
import { webManners } from "./hostile-targets.ts";
import { makeAll } from "./make-all.ts";
import { readEverything } from "./reader.ts";

interface MadeCheck {
  readonly _id: string;
  readonly parameters: { readonly checktoken?: string };
}

async function addChecks(
  attacker: Attacker,
  count: number,
  parametersOf: (index: number) => object,
): Promise<readonly MadeCheck[]> {
  const { account } = attacker;
  return makeSome<MadeCheck>(attacker, "POST checks", {
    count,
    parametersOf: (index) => ({
      customerid: account,
      label: `hostile ${index}`,
      interval: 1,
      enabled: true,
      ...parametersOf(index),
    }),
  });
}

/** As many as are allowed. */
async function makeSome<Made>(
  { client, say }: Attacker,
  call: string,
  {
    count,
    parametersOf,
  }: { readonly count: number; readonly parametersOf: (index: number) => object },
): Promise<readonly Made[]> {
  let refusal = "";
  const made = await makeAll(Array.from({ length: count }), async (_, index) =>
    client.api(call, parametersOf(index)).catch((error: unknown): [] => {
      refusal = String(error);
      return [];
    }),
  );
  const allowed = made.flat();
  if (allowed.length < count) say(`${call}: ${allowed.length} of ${count} are allowed: ${refusal}`);
  return allowed;
}

/** Contacts with as many addresses as they may have; the ids of the contacts. */
async function addWebhooks(
  attacker: Attacker,
  count: number,
  addressOf: (index: number) => object,
): Promise<readonly string[]> {
  const { account } = attacker;
  const made = await makeSome<{ readonly _id: string }>(attacker, "POST contacts", {
    count: Math.ceil(count / MAX_ADDRESSES),
    parametersOf: (contact) => ({
      customerid: account,
      name: `Hostile ${contact}`,
      custrole: "notify",
      newaddresses: Array.from(
        { length: Math.min(MAX_ADDRESSES, count - contact * MAX_ADDRESSES) },
        (_, at) => ({ type: "webhook", ...addressOf(contact * MAX_ADDRESSES + at) }),
      ),
    }),
  });
  return made.map(({ _id }) => _id);
}

const MAX_ADDRESSES = 100;

interface Asked {
  readonly name: string;
  readonly perSecond: number;
  readonly most?: number;
  readonly requests: readonly RawRequest[];
}

/** Requests with the token of the account. */
function ask(attacker: Attacker, { name, perSecond, most = 16, requests }: Asked): Flood {
  return {
    kind: "requests",
    name,
    sources: addressesOf(20, 4),
    perSecond,
    most,
    requests: requests.map(({ headers = [], ...rest }) => ({
      ...rest,
      headers: [...headers, authorizationOf(attacker), "Content-Type: application/json"],
    })),
  };
}

function jsonBody(value: object): Repeated {
  return { text: JSON.stringify(value), times: 1 };
}

function heartbeat({ _id, parameters }: MadeCheck, data: object): RawRequest {
  const query = new URLSearchParams({ id: _id, checktoken: parameters.checktoken ?? "" });
  return { line: `POST /v1?${query.toString()}`, body: jsonBody({ data }) };
}

const PUSH = { type: "PUSH", interval: 60 };
const LOAD = { fields: { load: { name: "load", min: 0, max: 1 } } };
/** Maximum heartbeats of a check per minute. */
const BEATS_A_MINUTE = 5;
/** As many keys as a heartbeat may have. */
const HEARTBEAT_DEPTH = 11;
/** The longest path that a field may have has 255 characters. */
const PATH_STEPS = 125;
const fieldsOf = (count: number): object => ({
  fields: Object.fromEntries(
    Array.from({ length: count }, (_, key) => [
      `f${key}`,
      { name: ambiguousPath(PATH_STEPS).replace("b", `b${key}`), min: 0 },
    ]),
  ),
});

/** Attacks possible with the token of an account. */
export const accountAttacks: readonly Attack[] = [
  {
    name: "fields",
    what: "40 heartbeats a minute with 100 fields and 20 pages with 20 fields whose paths can be read in many ways",
    attacksAtOnce: true,
    async begin(attacker) {
      const pushed = await addChecks(attacker, 8, () => ({ ...PUSH, ...fieldsOf(100) }));
      await addChecks(attacker, scaled(attacker, 20), () => ({
        type: "HTTPPARSE",
        target: `http://127.0.0.1:${attacker.targets.web}/ambiguous-json`,
        threshold: 30,
        ...fieldsOf(20),
      }));
      return [
        {
          kind: "requests",
          name: "heartbeats",
          sources: addressesOf(21, 2),
          perSecond: (pushed.length * BEATS_A_MINUTE) / 60,
          most: 8,
          requests: pushed.map((check) => heartbeat(check, ambiguousTree(HEARTBEAT_DEPTH))),
        },
      ];
    },
  },
  {
    name: "long-parameters",
    what: "2 requests a second with a parameter of 40,000 to 800,000 characters",
    async begin(attacker) {
      const long = (name: string, text: string, times: number): Repeated =>
        jsonBody({ customerid: attacker.account, [name]: text.repeat(times) });
      return [
        ask(attacker, {
          name: "long parameters",
          perSecond: 2,
          requests: [
            {
              line: `PUT /api/1/accounts/${attacker.account}`,
              body: long("timezone", " ", 40_000),
            },
            {
              line: `PUT /api/1/accounts/${attacker.account}`,
              body: long("timezone", " ", 400_000),
            },
            { line: "POST /api/1/checks", body: long("label", "a", 800_000) },
            { line: "POST /api/1/checks", body: long("tags", "a,", 400_000) },
            { line: "POST /api/1/checks", body: long("notifications", '[{"a":"All"},', 60_000) },
            { line: "POST /api/1/contacts", body: long("newaddresses", "[", 800_000) },
            { line: "POST /api/1/maintenance", body: long("cron", "* ", 400_000) },
            { line: "GET /api/1/results/uptime", body: long("start", "0", 800_000) },
            { line: "PUT /api/1/branding", body: long("downtext", "{if message}", 60_000) },
          ],
        }),
      ];
    },
  },
  {
    name: "tarpit",
    what: "3,600 checks a minute of a host that accepts and says nothing, for 90 s each",
    attacksAtOnce: true,
    async begin(attacker) {
      const { targets } = attacker;
      await addChecks(attacker, scaled(attacker, 3600), (index) => ({
        type: "HTTP",
        target: `http://127.0.4.1:${targets.tarpit}/${index}`,
        threshold: 90,
      }));
      return [];
    },
  },
  {
    name: "hanging-webhooks",
    what: "alerts to 200 webhooks on 200 hosts that never answer, 5 flips a minute",
    async begin(attacker) {
      const contacts = await addWebhooks(attacker, scaled(attacker, 200), (index) => ({
        address: `http://127.0.5.${1 + (index % 250)}:${attacker.targets.tarpit}/${index}`,
      }));
      const notifications = contacts.map((id) => ({ [id]: "All" }));
      return [flipping(await addChecks(attacker, 1, () => ({ ...PUSH, ...LOAD, notifications })))];
    },
  },
  {
    name: "waiting-alerts",
    what: "20,000 alerts that wait for an hour",
    async begin(attacker) {
      const contacts = await addWebhooks(attacker, scaled(attacker, 200), (index) => ({
        address: `http://127.0.6.1:${attacker.targets.tarpit}/${index}`,
      }));
      const notifications = contacts.map((id) => ({ [id]: { schedule: "All", delay: 60 } }));
      const checks = await addChecks(attacker, scaled(attacker, 100), () => ({
        ...PUSH,
        ...LOAD,
        notifications,
      }));
      for (const check of checks) {
        const { line, body } = heartbeat(check, { load: 2 });
        const [method = "", path = ""] = line.split(" ");
        await attacker.client.send({ method, path, body: JSON.parse(body?.text ?? "{}") });
      }
      return [];
    },
  },
  {
    name: "patterns",
    what: "300 checks a minute whose pattern takes for ever on a page of 2 MiB",
    attacksAtOnce: true,
    async begin(attacker) {
      await addChecks(attacker, scaled(attacker, 300), (index) => ({
        type: "HTTPCONTENT",
        target: `http://127.0.0.1:${attacker.targets.web}/pattern-page`,
        contentstring: `(a+)+${index % 10}$`,
        regex: true,
        threshold: 30,
      }));
      return [];
    },
  },
  {
    name: "records",
    what: "10 checks a second of 60 kB each, lists of them, and 5 flips a minute to 1,000 webhooks with a body of 8 kB",
    async begin(attacker) {
      const { account } = attacker;
      const contacts = await addWebhooks(attacker, scaled(attacker, 1000), (index) => ({
        address: `http://127.0.7.1:1/${index}`,
        action: "POST",
        data: { text: "a".repeat(8000) },
      }));
      const notifications = contacts.map((id) => ({ [id]: "All" }));
      const flapping = await addChecks(attacker, 1, () => ({ ...PUSH, ...LOAD, notifications }));
      const large = {
        customerid: account,
        type: "HTTPADV",
        target: "http://127.0.0.1:1/",
        postdata: "a".repeat(49_000),
        contentstring: "a".repeat(9000),
      };
      return [
        flipping(flapping),
        ask(attacker, {
          name: "large checks",
          perSecond: 10,
          requests: [{ line: "POST /api/1/checks", body: jsonBody(large) }],
        }),
        ask(attacker, {
          name: "lists",
          perSecond: 1,
          most: 4,
          requests: [
            { line: `GET /api/1/checks?customerid=${account}` },
            { line: `GET /api/1/notifications?customerid=${account}&limit=43200` },
          ],
        }),
      ];
    },
  },
  {
    name: "dependencies",
    what: "a chain of 1,000 checks that depend on one another, its ends changed 5 times a second",
    async begin(attacker) {
      const { client, account } = attacker;
      const made = await addChecks(attacker, scaled(attacker, 1000), () => PUSH);
      const [first] = made;
      let last = first;
      // If a chain has reached its maximum, the rest starts another.
      for (const check of made.slice(1)) {
        const path = `/api/1/checks/${check._id}`;
        await client.send({ method: "PUT", path, body: { customerid: account, dep: last?._id } });
        last = check;
      }
      const change = (from: MadeCheck | undefined, to: MadeCheck | undefined): RawRequest => ({
        line: `PUT /api/1/checks/${from?._id}`,
        body: jsonBody({ customerid: account, dep: to?._id }),
      });
      return [
        ask(attacker, {
          name: "dependencies",
          perSecond: 5,
          requests: [change(first, last), change(last, made.at(-2))],
        }),
      ];
    },
  },
  {
    name: "webhooks-to-itself",
    what: "two checks whose alerts are heartbeats of the other, under other names of this machine",
    async begin(attacker) {
      const { client, account, port } = attacker;
      const pair = await addChecks(attacker, 2, () => ({ ...PUSH, ...LOAD }));
      for (const [index, host] of ["localhost", "[::ffff:127.0.0.1]", "0.0.0.0"].entries()) {
        const [one, other] = index % 2 === 0 ? pair : pair.toReversed();
        if (one === undefined || other === undefined) continue;
        const query = heartbeat(other, {}).line.split("?")[1];
        const body = {
          customerid: account,
          name: host,
          custrole: "notify",
          newaddresses: [
            {
              type: "webhook",
              address: `http://${host}:${port}/v1?${query}`,
              data: { data: { load: index } },
            },
          ],
        };
        const answer = await client.send({ method: "POST", path: "/api/1/contacts", body });
        if (answer.status !== 200) continue;
        const { _id } = JSON.parse(answer.body);
        const path = `/api/1/checks/${one._id}`;
        const notifications = [{ [_id]: "All" }];
        await client.send({ method: "PUT", path, body: { customerid: account, notifications } });
      }
      return [flipping(pair)];
    },
  },
  {
    name: "mails",
    what: "5 new contacts, resets of passwords and tests a second, to one mailbox",
    async begin(attacker) {
      const { client, account } = attacker;
      const contact = {
        customerid: account,
        name: "Stranger",
        custrole: "edit",
        newaddresses: [{ type: "email", address: "stranger@example.org" }],
      };
      const { _id } = await client.api("POST contacts", contact);
      return [
        ask(attacker, {
          name: "mails",
          perSecond: 5,
          requests: [
            { line: "POST /api/1/contacts", body: jsonBody(contact) },
            { line: `GET /api/1/contacts/${_id}?customerid=${account}&action=RESETPASSWORD` },
            { line: `POST /api/1/contacts/${_id}?customerid=${account}&action=TEST` },
          ],
        }),
      ];
    },
  },
  {
    name: "reader",
    what: "a read-only token, a contact that only views, and the page in an alert read all they can, and try to acknowledge",
    begin: async () => [],
    intrude: readEverything,
  },
  {
    name: "hostile-targets",
    what: "two checks a minute of each type that can meet it for each of 15 hostile web servers and 6 others, at up to 20 MB a second each",
    attacksAtOnce: true,
    async begin(attacker) {
      const all = [...hostileWebChecks(attacker), ...hostileRawChecks(attacker)];
      const twice = [...all, ...all];
      await addChecks(attacker, scaled(attacker, twice.length), (index) => ({
        threshold: 10,
        sens: 0,
        // Spread over all where there are fewer.
        ...twice[Math.floor(index / attacker.scale) % twice.length],
      }));
      return [];
    },
  },
];

/** Heartbeats that pass and fail by turns, as many as are taken. */
function flipping(checks: readonly MadeCheck[]): Flood {
  return {
    kind: "requests",
    name: "flips",
    sources: addressesOf(22, 1),
    perSecond: (checks.length * BEATS_A_MINUTE) / 60,
    most: 4,
    requests: [2, 0].flatMap((load) => checks.map((check) => heartbeat(check, { load }))),
  };
}

function hostileWebChecks({ targets }: Attacker): readonly object[] {
  const fields = { one: { name: "a.a.a.b", min: 0 } };
  return webManners.flatMap((manner) => {
    const target = `http://127.0.0.1:${targets.web}/${manner}`;
    return [
      { type: "HTTP", target, follow: true },
      { type: "HTTPCONTENT", target, contentstring: "never" },
      { type: "HTTPCONTENT", target, contentstring: "nev[e]r", regex: true },
      { type: "HTTPPARSE", target, fields },
      { type: "HTTPADV", target, method: "POST", postdata: "a", contentstring: "never", fields },
      { type: "AUDIO", target },
      { type: "WEBSOCKET", target: target.replace("http", "ws"), contentstring: "never" },
    ];
  });
}

function hostileRawChecks({ targets }: Attacker): readonly object[] {
  return [targets.tarpit, ...Object.values(targets.raw)].flatMap((port) => {
    const at = { target: "127.0.0.1", port };
    const login = { username: "alice", password: "secret" };
    return [
      { type: "FTP", ...at, ...login, contentstring: "never" },
      { type: "IMAP4", ...at, ...login },
      { type: "IMAP4", ...at, secure: "ssl" },
      { type: "POP3", ...at, ...login },
      { type: "SMTP", ...at, secure: "starttls" },
      { type: "SSH", ...at, ...login, contentstring: "never" },
      { type: "MYSQL", ...at, ...login, query: "select 1" },
      { type: "RDP", ...at },
      { type: "SIP", ...at, transport: "tcp" },
      { type: "SIP", ...at, transport: "tls" },
      { type: "DNS", ...at, transport: "tcp", dnstoresolve: "example.net" },
      { type: "SSL", ...at },
      { type: "HTTP", target: `https://127.0.0.1:${port}/` },
    ];
  });
}
