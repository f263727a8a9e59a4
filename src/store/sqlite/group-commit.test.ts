import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { aResult } from "../../../test/record-builders.ts";
import { drainEventLoop, fakeClock } from "../../../test/time/fake-clock.ts";
import { codeOf, messageOf, Unavailable } from "../../kit/errors.ts";
import { createInterruptions } from "../../kit/interruptions.ts";
import { createEventLoopBudget } from "../../kit/time/event-loop-budget.ts";
import { silentLog } from "../../kit/log.ts";
import { createDiskShortage } from "./disk/shortage.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { DatabaseError, type ThreadConnection } from "./thread/database-thread.ts";
import type { PendingWrite } from "./thread/pending-write.ts";
import { createRequestExecutor } from "./thread/execute-request.ts";
import { createWriteConnection } from "./thread/write-connection.ts";

/** A group commit over a database in memory, whose disk can be made to hang, and to refuse a sync. */
function setUp() {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE kept (word TEXT NOT NULL UNIQUE) STRICT; CREATE TABLE meta (key)");
  const clock = fakeClock();
  const interruptions = createInterruptions(clock);
  let disk: Promise<unknown> = Promise.resolve();
  let sync = (): void => {};
  let makeRoom = (): boolean => false;
  let dropped = 0;
  const meter = { count: (_event: string, _labels: object = {}, by = 1) => void (dropped += by) };
  let commitsBegun = 0;
  let statements = 0;
  let answered = 0;
  let stoodStillMs = 0;
  let commitsMade = 0;
  const execute = createRequestExecutor(database, {
    committed: () => void (commitsMade += 1),
    sync: () => sync(),
    makeRoom: () => makeRoom(),
    isQuotaUsedUp: () => false,
  });
  const thread: ThreadConnection = {
    commits: () => commitsMade,
    async call(request) {
      if (request.kind === "close") throw new Error("it is closed by the test");
      if (request.kind === "commit") commitsBegun += 1;
      if (request.kind === "execute") statements += 1;
      await disk;
      const answer = execute(request);
      answered += 1;
      if (answer.kind === "done") return answer.result;
      throw answer.kind === "failed" ? new DatabaseError(answer) : new Error(answer.kind);
    },
  };
  const connection = createWriteConnection(
    { connect: () => Promise.resolve(thread) },
    createEventLoopBudget(clock),
  );
  const shortage = createDiskShortage({ log: silentLog, meter });
  const batches: number[] = [];
  const reconciled: string[] = [];
  const commits = createGroupCommit({
    connection,
    answered: () => answered,
    storeResults(results) {
      batches.push(results.length);
      return { sql: "SELECT 1", parameters: [] };
    },
    closeGaps: (checkNos) => ({
      sql: "DELETE FROM kept WHERE word IN (SELECT 'gap ' || value FROM json_each(?))",
      parameters: [JSON.stringify(checkNos)],
    }),
    committed() {},
    durable() {},
    reconcile: () => reconciled.push("now"),
    shortage,
    clock: { ...clock, monotonic: () => clock.monotonic() + stoodStillMs },
    interruptions,
  });
  const words = (): readonly unknown[] =>
    database
      .prepare("SELECT word FROM kept ORDER BY word")
      .all()
      .map(({ word }) => word);
  const insert = (word: string): Promise<unknown> =>
    connection.execute({ sql: "INSERT INTO kept VALUES (?)", parameters: [word] });
  return {
    database,
    clock,
    interruptions,
    commits,
    batches,
    reconciled,
    words,
    insert,
    commitsBegun: () => commitsBegun,
    statements: () => statements,
    /** Limits the free pages of the database from now on; `room` makes more available. */
    limitPages: (more: number, room: () => boolean = () => false): void => {
      const { page_count: pages } = database.prepare("PRAGMA page_count").get() ?? {};
      database.exec(`PRAGMA max_page_count = ${Number(pages) + more}`);
      makeRoom = room;
    },
    dropped: () => dropped,
    isShort: shortage.isShort,
    /** Time passes, and no timer fires. */
    standStill: (ms: number) => void (stoodStillMs += ms),
    /** Until the promise settles, nothing is answered; where it rejects, the thread has ended. */
    hangUntil: (end: Promise<unknown>) => void (disk = end),
    duringSync: (look: () => void): void => void (sync = look),
    refuseSync: (error: Error): void => {
      sync = () => {
        throw error;
      };
    },
  };
}

function write(
  commits: GroupCommit,
  run: () => unknown,
  rest: Pick<PendingWrite, "committed" | "accountId" | "isBulk"> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const unit = async (): Promise<void> => void (await run());
    commits.add({ run: unit, results: [aResult(1, 0)], ...rest, resolve, reject });
  });
}

/** How a promise settles. */
function end(written: Promise<void>): Promise<string> {
  return written.then(
    () => "stored",
    (error: unknown) => (codeOf(error) === "unavailable" ? messageOf(error) : "thrown"),
  );
}

test("results are visible from the commit on, before it is durable, and no longer once it is", async () => {
  const { commits, insert, duringSync } = setUp();
  const seen: number[] = [];
  const look = (): void => void seen.push(commits.visible().length);
  duringSync(look);
  for (const word of ["a", "b"]) {
    await write(commits, async () => {
      await insert(word);
      look();
    });
    look();
  }
  assert.deepEqual(seen, [0, 1, 0, 0, 1, 0]);
});

test("units that wait at the same time share one commit", async () => {
  const { commits, batches, words, insert } = setUp();
  await Promise.all(["a", "b", "c"].map((word) => write(commits, () => insert(word))));
  assert.deepEqual(words(), ["a", "b", "c"]);
  assert.deepEqual(batches, [3]);
});

/* guard: a savepoint of each unit */ test("a unit that throws leaves nothing behind and takes no neighbour along", async () => {
  const { commits, words, insert } = setUp();
  const ended = await Promise.all([
    end(write(commits, () => insert("a"))),
    end(
      write(commits, async () => {
        await insert("b");
        throw new Error("no");
      }),
    ),
    end(
      write(commits, () => {
        throw new Error("before its first statement");
      }),
    ),
    end(write(commits, () => insert("c"))),
    end(write(commits, () => insert("a"))),
  ]);
  assert.deepEqual(ended, ["stored", "thrown", "thrown", "stored", "thrown"]);
  assert.deepEqual(words(), ["a", "c"]);
  assert.equal(commits.writeError(), undefined);
});

test("results that close gaps do so in the order of the units, neighbours in one statement", async () => {
  const { commits, words, insert, statements } = setUp();
  const closing = (no: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const results = [aResult(no, 0)];
      commits.add({ run: undefined, results, closesGapOf: no, resolve, reject });
    });
  await write(commits, async () => {
    for (const no of [1, 2, 3]) await insert(`gap ${no}`);
  });
  const before = statements();
  await Promise.all([
    closing(1),
    closing(2),
    write(commits, () => insert("gap 2")),
    closing(3),
    closing(4),
  ]);
  assert.deepEqual(words(), ["gap 2"]);
  assert.equal(statements() - before, 3);
});

test("nothing is acknowledged before the sync has ended, and what arrives meanwhile shares the next commit", async () => {
  const { commits, batches, insert, hangUntil, commitsBegun, words } = setUp();
  const disk = Promise.withResolvers<void>();
  let acknowledged = 0;
  const count = (): void => void (acknowledged += 1);
  const first = write(commits, () => {
    hangUntil(disk.promise);
    return insert("a");
  }).then(count);
  await drainEventLoop();
  const others = ["b", "c", "d"].map((word) => write(commits, () => insert(word)).then(count));
  await drainEventLoop();
  assert.deepEqual([acknowledged, commitsBegun()], [0, 0]);
  disk.resolve();
  await Promise.all([first, ...others]);
  assert.deepEqual(words(), ["a", "b", "c", "d"]);
  assert.deepEqual(batches, [1, 3]);
});

// guard: no writes after a lost sync
// guard: a sync before the answer
test("a disk that did not confirm a write ends all writing, for nobody knows what it holds", async () => {
  const { commits, insert, refuseSync } = setUp();
  refuseSync(new Error("EIO"));
  assert.match(await end(write(commits, () => insert("a"))), /^this may be stored or not: EIO/);
  assert.match(await end(write(commits, () => insert("b"))), /^cannot store anything now: .*EIO/);
  assert.match(String(commits.writeError()), /restart.*EIO/);
});

for (const [what, trouble] of [
  [
    "a disk that did not confirm a write",
    async ({ commits, insert, refuseSync }) => {
      refuseSync(new Error("EIO"));
      await end(write(commits, () => insert("first")));
    },
  ],
  [
    "a thread that ended before a commit",
    async ({ hangUntil }) => {
      const ended = Promise.reject(new Error("it has ended"));
      ended.catch(() => {});
      hangUntil(ended);
    },
  ],
] satisfies [string, (scene: ReturnType<typeof setUp>) => Promise<void>][])
  test(`${what} refuses at once what accounts share as well`, async () => {
    const scene = setUp();
    await trouble(scene);
    const ends: string[] = [];
    for (const accountId of ["ann", "ben", undefined])
      void end(write(scene.commits, () => scene.insert(`of ${accountId}`), { accountId })).then(
        (how) => ends.push(how),
      );
    await drainEventLoop();
    assert.deepEqual(
      ends.map((how) => how.startsWith("cannot store anything now: ")),
      [true, true, true],
    );
    assert.equal(scene.commits.oldestWaitMs(), 0);
  });

/* guard: a full disk refuses the batch */ test("a full database refuses the whole batch, says so, and works again once there is room", async () => {
  const { database, commits, words, insert, interruptions, clock } = setUp();
  const { page_count: pages } = database.prepare("PRAGMA page_count").get() ?? {};
  database.exec(`PRAGMA max_page_count = ${Number(pages)}`);
  const committed: string[] = [];
  const ended = await Promise.all([
    end(write(commits, () => insert("small"), { committed: () => committed.push("small") })),
    end(write(commits, () => insert("x".repeat(100_000)))),
  ]);
  for (const sentence of ended) assert.match(sentence, /^cannot store anything now: .*full/);
  assert.deepEqual([words(), committed], [[], []]);
  assert.match(String(commits.writeError()), /full/);
  assert.deepEqual(
    interruptions.open().map(({ cause }) => cause),
    ["store"],
  );
  await clock.advance(5000);
  database.exec("PRAGMA max_page_count = 100000");
  await write(commits, () => insert("small"));
  assert.deepEqual(words(), ["small"]);
  assert.equal(commits.writeError(), undefined);
  assert.deepEqual(interruptions.open(), []);
  assert.equal(interruptions.lostSince(0), 5000);
});

/* guard: a reserve for a full disk */ test("what a full database refuses is tried again with the reserve, and its bulk is dropped and counted", async () => {
  const { commits, words, insert, limitPages, dropped, isShort, batches, interruptions } = setUp();
  let parts = 2;
  limitPages(0, () => {
    parts -= 1;
    if (parts === 0) limitPages(100);
    return true;
  });
  const committed: string[] = [];
  await Promise.all([
    write(commits, () => insert("x".repeat(100_000)), { committed: () => committed.push("x") }),
    write(commits, () => {}, { isBulk: true }),
    assert.rejects(write(commits, () => Promise.reject(new Error("of its own")))),
  ]);
  assert.deepEqual([words().length, committed], [1, ["x"]]);
  assert.deepEqual([batches, dropped(), isShort()], [[1], 1, true]);
  assert.deepEqual([commits.writeError(), interruptions.open()], [undefined, []]);
});

test("once the reserve is used up a full database refuses what is to be stored", async () => {
  const { commits, words, insert, limitPages } = setUp();
  let parts = 3;
  limitPages(0, () => {
    parts -= 1;
    return parts > 0;
  });
  assert.match(await end(write(commits, () => insert("x".repeat(100_000)))), /full/);
  assert.equal(parts, 0);
  assert.deepEqual(words(), []);
});

test("while it is paused nothing is committed, and afterwards everything that waited is", async () => {
  const { commits, words, insert } = setUp();
  const task = Promise.withResolvers<void>();
  const paused = commits.whilePaused(() => task.promise);
  const written = write(commits, () => insert("a"));
  await drainEventLoop();
  assert.deepEqual(words(), []);
  task.resolve();
  await Promise.all([paused, written]);
  assert.deepEqual(words(), ["a"]);
});

test("what waits for a disk that hangs is refused within some seconds, is not stored later, and all goes on with the disk", async () => {
  const { commits, clock, words, insert, hangUntil, interruptions } = setUp();
  const disk = Promise.withResolvers<void>();
  hangUntil(disk.promise);
  const inFlight = end(write(commits, () => insert("under way")));
  await drainEventLoop();
  const queued = end(write(commits, () => insert("queued")));
  await clock.advance(2500);
  const late = end(write(commits, () => insert("late")));
  assert.equal(commits.oldestWaitMs(), 2500);
  assert.equal(interruptions.lostSince(0), 2500);
  assert.equal(commits.writeError(), undefined);
  await clock.advance(2500);
  const refused = /^cannot store anything now: the disk does not answer: a commit has waited/;
  assert.match(await inFlight, refused);
  assert.match(await queued, refused);
  assert.equal(commits.writeError(), "the disk does not answer: a commit has waited for 5 s");
  disk.resolve();
  assert.equal(await late, "stored");
  assert.deepEqual(words(), ["late"]);
  assert.equal(commits.writeError(), undefined);
  assert.equal(commits.oldestWaitMs(), 0);
  assert.equal(interruptions.lostSince(0), 5000);
});

test("of a commit that hangs is said that it may be stored, and what it brings is known once it ends", async () => {
  const { commits, clock, words, insert, hangUntil } = setUp();
  const disk = Promise.withResolvers<void>();
  const committed: string[] = [];
  const written = end(
    write(
      commits,
      async () => {
        await insert("a");
        hangUntil(disk.promise);
      },
      { committed: () => committed.push("a") },
    ),
  );
  await clock.advance(6000);
  assert.match(await written, /^this may be stored or not: the disk does not answer/);
  assert.deepEqual(committed, []);
  disk.resolve();
  await commits.drained();
  assert.deepEqual([words(), committed], [["a"], ["a"]]);
  assert.equal(commits.writeError(), undefined);
});

test("a pause that lasts refuses what waits, and says that nothing can be committed", async () => {
  const { commits, clock, insert } = setUp();
  const task = Promise.withResolvers<void>();
  const paused = commits.whilePaused(() => task.promise);
  const written = end(write(commits, () => insert("a")));
  await clock.advance(6000);
  assert.match(await written, /^cannot store anything now/);
  await clock.advance(60_000);
  assert.match(String(commits.writeError()), /does not answer/);
  task.resolve();
  await paused;
  await write(commits, () => insert("b"));
  assert.equal(commits.writeError(), undefined);
});

test("a process that stood still does not take it for a disk that hangs", async () => {
  const { commits, clock, insert, hangUntil, standStill } = setUp();
  const disk = Promise.withResolvers<void>();
  hangUntil(disk.promise);
  const written = write(commits, () => insert("a"));
  await clock.advance(500);
  standStill(80_000);
  await clock.advance(1000);
  assert.equal(commits.writeError(), undefined);
  disk.resolve();
  await written;
});

test("where the thread ends at a commit, what became of it is read from the database", async () => {
  const { database, commits, insert, hangUntil, reconciled } = setUp();
  const written = write(commits, async () => {
    await insert("a");
    hangUntil(Promise.reject(new Unavailable("the database thread ended: out of memory")));
  });
  assert.match(await end(written), /^this may be stored or not: the database thread ended/);
  assert.deepEqual(reconciled, ["now"]);
  // As the end of the thread does.
  database.exec("ROLLBACK");
  hangUntil(Promise.resolve());
  await write(commits, () => insert("b"));
  assert.equal(commits.writeError(), undefined);
});

test("where the thread ends within a unit, the batch is refused and nothing is stored", async () => {
  const { commits, insert, hangUntil, reconciled, words } = setUp();
  const written = write(commits, () => {
    hangUntil(Promise.reject(new Unavailable("the database thread ended: out of memory")));
    return insert("a");
  });
  assert.match(await end(written), /^cannot store anything now: the database thread ended/);
  hangUntil(Promise.resolve());
  await write(commits, () => insert("b"));
  assert.deepEqual([words(), reconciled], [["b"], []]);
});

// guard: commit time of an account
test("units of one account that take long delay neither another account's nor those of none", async () => {
  const { commits, insert, standStill, words } = setUp();
  const ended: string[] = [];
  const add = async (word: string, ms: number, accountId?: string): Promise<void> => {
    const run = async (): Promise<void> => {
      standStill(ms);
      await insert(word);
    };
    await write(commits, run, { accountId });
    ended.push(word);
  };
  const many = Array.from({ length: 60 }, (_, index) => add(`many ${index}`, 5, "carol"));
  await add("first commit", 0);
  assert.ok(ended.length <= 5, `${ended.length} in a commit`);
  const before = ended.length;
  await Promise.all([add("a heartbeat", 0), add("of another", 5, "alice")]);
  assert.ok(ended.length - before <= 12, `${ended.length - before} meanwhile`);
  await Promise.all(many);
  assert.equal(words().length, 63);
  const ofMany = ended.filter((word) => word.startsWith("many"));
  assert.deepEqual(
    ofMany,
    Array.from({ length: 60 }, (_, index) => `many ${index}`),
  );
});

test("that an account waits for its turn is no trouble of the disk", async () => {
  const { commits, standStill, clock, interruptions } = setUp();
  const all = Array.from({ length: 8 }, () =>
    write(commits, () => standStill(900), { accountId: "carol" }),
  );
  await drainEventLoop();
  await clock.advance(1000);
  await Promise.all(all);
  assert.equal(interruptions.lostSince(0), 0);
  assert.equal(commits.oldestWaitMs(), 0);
});
