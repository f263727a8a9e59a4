import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import test from "node:test";

import * as fc from "fast-check";

import {
  end,
  error,
  greeting,
  more,
  NONCE,
  ok,
  saying,
  sha2Server,
  switchTo,
  type Script,
} from "../../../test/peers/mysql.ts";
import { codeOf } from "../../kit/errors.ts";
import { logIn, readGreeting, type MysqlLogin, type LoginRefusal } from "./login.ts";
import type { MysqlConnection } from "./packet.ts";

/** A connection to a server that follows the script, and what was sent to it. */
function talkTo(script: Script): MysqlConnection & { readonly sent: readonly Buffer[] } {
  const sent: Buffer[] = [];
  const answers = [...(script.next().value ?? [])];
  const send = (payload: Uint8Array): void => {
    sent.push(Buffer.from(payload));
    answers.push(...(script.next(Buffer.from(payload)).value ?? []));
  };
  return {
    sent,
    read: async () => {
      const answer = answers.shift();
      assert.ok(answer !== undefined, "the script has come to its end");
      return answer;
    },
    write: send,
    command: send,
    startTls: () => Promise.reject(new Error("no TLS here")),
  };
}

interface Ending {
  readonly refusal: LoginRefusal | undefined;
  readonly sent: readonly Buffer[];
}

async function enter(script: Script, login: Partial<MysqlLogin> = {}): Promise<Ending> {
  const talk = talkTo(script);
  const greeting = await readGreeting(talk);
  assert.ok("version" in greeting);
  const whole = { username: "alice", password: "secret", inTls: false, ...login };
  return { refusal: await logIn(talk, greeting, whole), sent: talk.sent };
}

const bad = (message: string) => ({ code: "protocol_error", message });
const hex = (text: string): Buffer => Buffer.from(text, "hex");

test("a greeting has the version, the way to log in, and whether there is TLS", async () => {
  const read = await readGreeting(talkTo(saying([greeting({ method: "caching_sha2_password" })])));
  assert.deepEqual(read, {
    version: "8.4.3",
    offersTls: true,
    method: "caching_sha2_password",
    nonce: NONCE,
  });
});

for (const [version, meant] of [
  ["5.5.5-10.11.19-MariaDB", "10.11.19-MariaDB"],
  ["5.5.5-m3", "5.5.5-m3"],
  ["5.5.50", "5.5.50"],
] as const) {
  test(`the version ${version} means ${meant}`, async () => {
    const read = await readGreeting(talkTo(saying([greeting({ version })])));
    assert.ok("version" in read);
    assert.equal(read.version, meant);
  });
}

test("a greeting without named ways means the usual one", async () => {
  const old = greeting({ method: "x", offersTls: false });
  // The upper half of the flags, which says that there are names.
  old.writeUInt16LE(0, old.indexOf(NONCE.subarray(0, 8)) + 14);
  const read = await readGreeting(talkTo(saying([old])));
  assert.ok("version" in read);
  assert.deepEqual([read.method, read.offersTls], ["mysql_native_password", false]);
});

test("a greeting may have a longer nonce, of which the first bytes count", async () => {
  const short = greeting();
  const end = short.indexOf("mysql_native_password");
  const long = Buffer.concat([short.subarray(0, end), Buffer.alloc(10), short.subarray(end)]);
  long.writeUInt8(NONCE.length + 11, long.indexOf(NONCE.subarray(0, 8)) + 16);
  assert.deepEqual(
    await readGreeting(talkTo(saying([long]))),
    await readGreeting(talkTo(saying([short]))),
  );
});

test("an error may come in the place of a greeting", async () => {
  const read = await readGreeting(talkTo(saying([error(1040, "Too many connections", "")])));
  assert.deepEqual(read, { code: 1040, text: "Too many connections" });
});

test("whatever comes first is a greeting, an error or a bad answer", async () => {
  await assert.rejects(
    readGreeting(talkTo(saying([greeting({ protocol: 9 })]))),
    bad("not a greeting"),
  );
  const cut = fc
    .nat({ max: greeting().length - 1 })
    .map((length) => greeting().subarray(0, length));
  const bytes = fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array));
  await fc.assert(
    fc.asyncProperty(fc.oneof(cut, bytes), async (first) => {
      await readGreeting(talkTo(saying([first]))).catch((error: unknown) =>
        assert.equal(codeOf(error), "protocol_error"),
      );
    }),
  );
});

test("a login says who, how, and where to", async () => {
  const { sent } = await enter(saying([greeting()], [ok]), { database: "shop", password: "" });
  assert.deepEqual(sent, [
    Buffer.concat([
      hex("09820a00000000012d"),
      Buffer.alloc(23),
      Buffer.from("alice\0\0shop\0mysql_native_password\0"),
    ]),
  ]);
});

/** Test vectors of other clients. */
const proofs = [
  {
    method: "mysql_native_password",
    nonce: "46725c5e01260b743f7217657e671a5f51111815",
    proof: "35b18c9ffbbd7f356dfcac32d3c0f0a41a30cf2d",
  },
  {
    method: "caching_sha2_password",
    nonce: "0a2f4a6f4b492230584c724a250d035052021715",
    proof: "f490e76f66d9d86665ce54d98c78d0acfe2fb0b08b423da807144873d30b312c",
  },
];
for (const { method, nonce, proof } of proofs) {
  test(`the password is proved by ${method}, where the server turns to it`, async () => {
    const { refusal, sent } = await enter(
      saying([greeting()], [switchTo(method, hex(nonce))], [ok]),
    );
    assert.deepEqual([refusal, sent.at(-1)], [undefined, hex(proof)]);
  });

  test(`an empty password is proved by nothing, also by ${method}`, async () => {
    const { sent } = await enter(saying([greeting()], [switchTo(method)], [ok]), { password: "" });
    assert.deepEqual(sent.at(-1), Buffer.alloc(0));
  });
}

test("a way that is not known is not tried at first", async () => {
  const { sent } = await enter(saying([greeting({ method: "client_ed25519" })], [ok]));
  assert.match(String(sent[0]), /mysql_native_password\0$/);
});

const refused = error(1045, "Access denied");
const refusal = { code: 1045, text: "Access denied" };

interface Row {
  readonly name: string;
  readonly script: () => Script;
  readonly login?: Partial<MysqlLogin>;
  readonly refusal: LoginRefusal | undefined;
}
const other = "client_ed25519";
const rows: readonly Row[] = [
  { name: "an error", script: () => saying([greeting()], [refused]), refusal },
  {
    name: "an error after another way",
    script: () => saying([greeting()], [switchTo("mysql_native_password")], [refused]),
    refusal,
  },
  {
    name: "a way that is not known",
    script: () => saying([greeting()], [switchTo(other)], [refused]),
    refusal: { unknownMethod: other },
  },
  {
    name: "a way that is not known, with questions",
    script: () => saying([greeting()], [switchTo(other)], [more(1, 2, 3)]),
    refusal: { unknownMethod: other },
  },
  {
    name: "a way that is not known, and no password",
    script: () => saying([greeting()], [switchTo(other)], [refused]),
    login: { password: "" },
    refusal,
  },
  {
    name: "a way that is not known, which needs nothing",
    script: () => saying([greeting()], [switchTo("unix_socket")], [ok]),
    refusal: undefined,
  },
  {
    name: "the way of old, which has no name",
    script: () => saying([greeting()], [end.subarray(0, 1)], [refused]),
    refusal: { unknownMethod: "mysql_old_password" },
  },
  ...[true, false].flatMap((remembers) => [
    {
      name: `caching_sha2_password where the server ${remembers ? "remembers" : "forgot"}`,
      script: () => sha2Server("secret", remembers),
      refusal: undefined,
    },
    {
      name: `a wrong caching_sha2_password where the server ${remembers ? "remembers" : "forgot"}`,
      script: () => sha2Server("other", remembers),
      refusal,
    },
  ]),
  {
    name: "caching_sha2_password without a key",
    script: () => saying([greeting({ method: "caching_sha2_password" })], [more(4)], [refused]),
    refusal,
  },
];
for (const { name, script, login, refusal } of rows) {
  test(`${name} ends as ${JSON.stringify(refusal) ?? "let in"}`, async () => {
    const ending = await enter(script(), login);
    assert.deepEqual(ending.refusal, refusal);
    for (const sent of ending.sent) assert.doesNotMatch(String(sent), /secret/);
  });
}

test("a login in a way that is not known is refused for its proof, not for its length", async () => {
  const { sent } = await enter(saying([greeting()], [switchTo(other)], [refused]));
  assert.deepEqual(sent.at(-1), Buffer.alloc(64));
});

const pem = {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
} as const;
const curve = generateKeyPairSync("ec", { namedCurve: "P-256", ...pem });
const small = generateKeyPairSync("rsa", { modulusLength: 1024, ...pem });
const keyOf = ({ publicKey }: { publicKey: string }): Buffer => more(...Buffer.from(publicKey));

const sha2 = "caching_sha2_password";
const native = "mysql_native_password";
const noAnswer = "not an answer to the login";
const noKey = "a key that cannot be used";
for (const { name, method, answers, message } of [
  { name: "nothing", method: native, answers: [Buffer.alloc(0)], message: noAnswer },
  { name: "another greeting", method: native, answers: [greeting()], message: noAnswer },
  { name: "half an answer", method: native, answers: [more(3)], message: noAnswer },
  { name: "an unknown state", method: sha2, answers: [more(5)], message: noAnswer },
  { name: "no state", method: sha2, answers: [more()], message: noAnswer },
  {
    name: "half an answer twice",
    method: sha2,
    answers: [more(4), more(4), more(4)],
    message: noKey,
  },
  {
    name: "the same way again",
    method: native,
    answers: [switchTo(native), switchTo(native)],
    message: noAnswer,
  },
  { name: "no key", method: sha2, answers: [more(4), more()], message: noKey },
  { name: "a key of a curve", method: sha2, answers: [more(4), keyOf(curve)], message: noKey },
  { name: "too small a key", method: sha2, answers: [more(4), keyOf(small)], message: noKey },
]) {
  test(`a login that is answered with ${name} is answered badly`, async () => {
    const script = saying([greeting({ method })], ...answers.map((answer) => [answer]));
    await assert.rejects(enter(script, { password: "secret".repeat(20) }), bad(message));
  });
}
