import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import { s3Peer, type S3Fault, type S3Peer } from "../../../../test/peers/s3.ts";
import { fakeClock, type FakeClock } from "../../../../test/time/fake-clock.ts";
import { stepUntil } from "../../../../test/time/wait-for.ts";
import { Secret } from "../../../kit/crypto/secret.ts";
import { backupNameOf } from "./backup-name.ts";
import type { BackupDestination, S3Access } from "../../../settings/backup-destination.ts";
import { s3Destination } from "./s3-destination.ts";

const MB = 1024 * 1024;
const DAY_MS = 86_400_000;
const keys = { accessKey: "AKIAEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG" };

interface Site extends AsyncDisposable {
  readonly peer: S3Peer;
  readonly clock: FakeClock;
  readonly destination: BackupDestination;
  readonly interruption: AbortController;
  /** Ends a call. Time passes only in its pauses, and while the store leaves it without an answer. */
  readonly ended: <Value>(call: Promise<Value>) => Promise<PromiseSettledResult<Value>>;
}

async function site(access: Partial<S3Access> = {}): Promise<Site> {
  const clock = fakeClock();
  const peer = await s3Peer({
    bucket: "offsite",
    region: "eu-central-1",
    now: clock.now,
    ...keys,
  });
  const interruption = new AbortController();
  let requests = 0;
  const counted = async (url: string, init: RequestInit): Promise<Response> => {
    requests += 1;
    try {
      return await fetch(url, init);
    } finally {
      requests -= 1;
    }
  };
  const destination = s3Destination(
    {
      bucket: "offsite",
      prefix: "monitor one/",
      access: {
        endpoint: peer.endpoint,
        region: "eu-central-1",
        pathStyle: true,
        accessKey: keys.accessKey,
        secretKey: new Secret(keys.secretKey),
        ...access,
      },
    },
    { fetch: counted, clock, interrupted: interruption.signal },
  );
  return {
    peer,
    clock,
    destination,
    interruption,
    async ended(call) {
      let outcome: PromiseSettledResult<Awaited<typeof call>> | undefined;
      const settling = Promise.allSettled([call]).then(([result]) => (outcome = result));
      await stepUntil("the call ends", async () => {
        if (clock.pending() > 0 && requests <= peer.unanswered()) await clock.advance(1000);
        return outcome !== undefined;
      });
      return settling;
    },
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

function nameAt(at: number): string {
  return backupNameOf({ installation: "0123abcd", at, isEncrypted: true }).name;
}

async function* inChunks(content: Buffer, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size);
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content));
}

function reasonOf(result: PromiseSettledResult<unknown>): string {
  return result.status === "rejected" ? String(result.reason) : "";
}

test("backups are stored, listed page by page, read and deleted by signed requests", async () => {
  await using one = await site();
  const contents = [1, 2, 3, 4, 5].map(
    (day) => [nameAt(Date.UTC(2026, 0, day)), randomBytes(1000 * day)] as const,
  );
  for (const [name, content] of contents)
    assert.equal(await one.destination.write(name, inChunks(content)), content.length);
  one.peer.objects.set("monitor one/watchpost-notes.txt", Buffer.from("not a backup"));
  one.peer.objects.set("monitor one/older/watchpost.tar", Buffer.from("not a backup"));
  assert.deepEqual(
    await one.destination.list(),
    contents.map(([name, content]) => ({ name, bytes: content.length })),
  );
  for (const [name, content] of contents)
    assert.deepEqual(await readAll(one.destination.read(name)), content);
  await one.destination.remove(nameAt(Date.UTC(2026, 0, 1)));
  assert.equal((await one.destination.list()).length, 4);
});

test("a large backup is stored in parts, and read again after connections that broke off", async () => {
  await using one = await site();
  const content = randomBytes(40 * MB);
  const name = nameAt(0);
  await one.destination.write(name, inChunks(content, 300_000));
  const parts = one.peer.requests.filter(({ query }) => query.has("partNumber"));
  assert.deepEqual(
    parts.map(({ query }) => query.get("partNumber")),
    ["1", "2", "3"],
  );
  assert.equal(one.peer.uploads.size, 0);
  let halves = 3;
  one.peer.fault = () => (halves-- > 0 ? "half" : undefined);
  assert.ok(content.equals(await readAll(one.destination.read(name))));
  assert.ok(halves < 0);
});

test("an object that became another one while it was read is refused", async () => {
  await using one = await site();
  const name = nameAt(0);
  await one.destination.write(name, inChunks(randomBytes(MB)));
  one.peer.fault = ({ key }) => {
    one.peer.fault = () => {
      one.peer.objects.set(key, randomBytes(MB));
      return undefined;
    };
    return "half";
  };
  const read = await one.ended(readAll(one.destination.read(name)));
  assert.match(reasonOf(read), /412 PreconditionFailed/);
});

const passing: readonly { readonly name: string; readonly fault: S3Fault }[] = [
  { name: "503 SlowDown", fault: { status: 503, code: "SlowDown" } },
  { name: "500", fault: { status: 500, code: "InternalError" } },
  { name: "a closed connection", fault: "hang up" },
  { name: "no answer", fault: "never answer" },
];

for (const { name, fault } of passing) {
  test(`a part that meets ${name} is sent again`, async () => {
    await using one = await site();
    const content = randomBytes(17 * MB);
    let times = 2;
    one.peer.fault = ({ query }) => (query.has("partNumber") && times-- > 0 ? fault : undefined);
    const written = await one.ended(one.destination.write(nameAt(0), inChunks(content)));
    assert.equal(written.status, "fulfilled");
    assert.ok(content.equals(one.peer.objects.get(`monitor one/${nameAt(0)}`) ?? Buffer.alloc(0)));
  });
}

const lasting: readonly {
  readonly name: string;
  readonly fault?: S3Fault;
  readonly access?: Partial<S3Access>;
  readonly clockMs?: number;
  readonly said: RegExp;
}[] = [
  {
    name: "a full store",
    fault: { status: 507, code: "XMinioStorageFull" },
    said: /refuses it: 507 XMinioStorageFull/,
  },
  {
    name: "a refusal",
    fault: { status: 403, code: "AccessDenied" },
    said: /403 AccessDenied.*right to list the bucket/,
  },
  {
    name: "a store that hangs up",
    fault: "hang up",
    said: /127\.0\.0\.1:\d+ cannot be reached: the connection was closed before /,
  },
  { name: "a store that never answers", fault: "never answer", said: /no answer in 300 s/ },
  {
    name: "a wrong secret",
    access: { secretKey: new Secret("another") },
    said: /403 SignatureDoesNotMatch.*Correct WATCHPOST_BACKUP_S3_ACCESS_KEY/,
  },
  {
    name: "an unknown key",
    access: { accessKey: "another" },
    said: /403 InvalidAccessKeyId/,
  },
  {
    name: "another region",
    access: { region: "us-east-1" },
    said: /400 AuthorizationHeaderMalformed.*Correct WATCHPOST_BACKUP_S3_REGION/,
  },
  {
    name: "a clock that was set",
    clockMs: 3_600_000,
    said: /403 RequestTimeTooSkewed.*The clock of this machine/,
  },
  {
    name: "an address where nothing listens",
    access: { endpoint: "http://127.0.0.1:2" },
    said: /127\.0\.0\.1:2 cannot be reached: nothing listens there, /,
  },
];

for (const { name, fault, access, clockMs = 0, said } of lasting) {
  test(`${name} is reported in a sentence`, async () => {
    await using one = await site(access);
    const { now } = one.clock;
    const began = now();
    if (clockMs !== 0) one.peer.now = () => began;
    one.clock.step(clockMs);
    one.peer.fault = () => fault;
    const written = await one.ended(one.destination.write(nameAt(0), inChunks(randomBytes(1000))));
    assert.match(reasonOf(written), said);
    assert.doesNotMatch(reasonOf(written), /wJalr/);
    assert.equal(one.peer.objects.size, 0);
  });
}

test("an upload that fails, is refused at its end or is interrupted is aborted, and there is no object", async () => {
  const endings: readonly ((one: Site) => void)[] = [
    ({ peer }) => {
      peer.fault = ({ query }) =>
        query.get("partNumber") === "2" ? { status: 403, code: "AccessDenied" } : undefined;
    },
    ({ peer }) => {
      peer.fault = ({ method, query }) =>
        method === "POST" && query.has("uploadId") ? "late error" : undefined;
    },
    ({ peer, interruption }) => {
      peer.fault = ({ query }) => {
        if (query.get("partNumber") === "2") interruption.abort();
        return undefined;
      };
    },
  ];
  for (const prepare of endings) {
    await using one = await site();
    prepare(one);
    const written = await one.ended(
      one.destination.write(nameAt(0), inChunks(randomBytes(33 * MB))),
    );
    assert.equal(written.status, "rejected");
    assert.ok(one.peer.requests.some(({ query }) => query.has("uploads")));
    assert.equal(one.peer.uploads.size, 0);
    assert.equal(one.peer.objects.size, 0);
  }
});

test("uploads of killed processes are aborted a day later by the clock of the store, and others are left", async () => {
  await using one = await site();
  one.peer.uploads.set("killed", { key: `monitor one/${nameAt(0)}`, parts: new Map() });
  one.peer.uploads.set("foreign", { key: "monitor one/watchpost-else", parts: new Map() });
  await one.destination.removeUnfinished();
  assert.deepEqual([...one.peer.uploads.keys()], ["killed", "foreign"]);
  const began = one.clock.now();
  one.peer.initiatedAt = () => began - DAY_MS - 1000;
  await one.destination.removeUnfinished();
  assert.deepEqual([...one.peer.uploads.keys()], ["foreign"]);
});

test("a store that does not list uploads, or a key that may not, stores backups all the same", async () => {
  for (const fault of [
    { status: 501, code: "NotImplemented" },
    { status: 403, code: "AccessDenied" },
  ]) {
    await using one = await site();
    one.peer.fault = ({ key, query }) => (key === "" && query.has("uploads") ? fault : undefined);
    await one.destination.removeUnfinished();
    assert.equal(one.peer.requests.length, 1);
  }
  await using away = await site({ endpoint: "http://127.0.0.1:1" });
  const ended = await away.ended(away.destination.removeUnfinished());
  assert.match(reasonOf(ended), /cannot be reached/);
});
