import type { Guard } from "../guard.ts";

/** The process itself: its store, its clock, its pages and what it is installed from. */
export const serviceGuards: Readonly<Record<string, Guard>> = {
  "a sync before the answer": {
    file: "src/store/sqlite/thread/execute-request.ts",
    text: "    noteCommit(database);\n    sync();",
    without: "    noteCommit(database);",
    test: {
      file: "src/store/sqlite/group-commit.test.ts",
      name: "a disk that did not confirm a write ends all writing, for nobody knows what it holds",
    },
  },
  "no writes after a lost sync": {
    file: "src/store/sqlite/group-commit.ts",
    text: "if (lost !== undefined) throw new Error(lost);",
    without: "",
    test: {
      file: "src/store/sqlite/group-commit.test.ts",
      name: "a disk that did not confirm a write ends all writing, for nobody knows what it holds",
    },
  },
  "a full disk refuses the batch": {
    file: "src/store/sqlite/group-commit.ts",
    text: "if (!connection.isOpen() || isOfTheDisk(error)) throw error;",
    without: "",
    test: {
      file: "src/store/sqlite/group-commit.test.ts",
      name: "a full database refuses the whole batch, says so, and works again once there is room",
    },
  },
  "files of the database that are gone": {
    file: "src/store/sqlite/thread/database-worker.ts",
    text: "    assertFiles();\n",
    without: "",
    test: {
      file: "test/e2e/data-folder.long.test.ts",
      name: "the database is deleted: nothing is acknowledged any more, and the process ends with the reason",
    },
  },
  "a reserve for a full disk": {
    file: "src/store/sqlite/group-commit.ts",
    text: "if (!(await madeRoom(deps, end))) {",
    without: "if (true) {",
    test: {
      file: "src/store/sqlite/group-commit.test.ts",
      name: "what a full database refuses is tried again with the reserve, and its bulk is dropped and counted",
    },
  },
  "a savepoint of each unit": {
    file: "src/store/sqlite/group-commit.ts",
    text: "connection.undoUnit();",
    without: "connection.endUnit();",
    test: {
      file: "src/store/sqlite/group-commit.test.ts",
      name: "a unit that throws leaves nothing behind and takes no neighbour along",
    },
  },
  "one process on a data folder": {
    file: "src/store/sqlite/open-database.ts",
    text: 'lock.exec("BEGIN EXCLUSIVE");',
    without: "",
    test: {
      file: "src/store/sqlite/results.test.ts",
      name: "a database is not opened twice, nor with another instance key",
    },
  },
  "a clock that was set": {
    file: "src/kit/time/steady-clock.ts",
    text: "if (Math.abs(byMs) > STEP_MS) {",
    without: "if (false) {",
    test: {
      file: "src/kit/time/steady-clock.test.ts",
      name: "a clock that is set is followed once what waits has been moved, and nobody sees it before",
    },
  },
  "time in which no heartbeat could be received": {
    file: "src/controller/staleness.ts",
    text: "Math.max(knownFrom, since, hearing.lastEnd())",
    without: "Math.max(knownFrom, since)",
    test: {
      file: "src/controller/staleness.test.ts",
      name: "time in which nothing could be received does not count, and silence after it does",
    },
  },
  "time that a client waited for us": {
    file: "src/controller/staleness.ts",
    text: "Math.max(seenFrom, heardFrom)",
    without: "seenFrom",
    test: {
      file: "src/controller/staleness.test.ts",
      name: "time in which what comes from the address of its last heartbeat waits to be read does not count",
    },
  },
  "refusals before a heartbeat is read": {
    file: "src/heartbeats/handler.ts",
    text: "if (isLimitOfOurs(error))",
    without: "if (false)",
    test: {
      file: "src/heartbeats/admission.test.ts",
      name: "that is refused by a limit of ours before it is read makes its check not stale",
    },
  },
  "connections that wait to be accepted": {
    file: "src/server/health/accept-queue.ts",
    text: "if (longestQueue() * turnMs >= FELT_MS) failed();",
    without: "longestQueue();",
    test: {
      file: "src/server/health/accept-queue.test.ts",
      name: "connections that wait to be accepted for more than a second are an interruption",
    },
  },
  "results of the future": {
    file: "src/kit/clock.ts",
    text: "ageMs >= -BELIEVED_AHEAD_MS ? clock.monotonic() - Math.max(ageMs, 0) : -Infinity",
    without: "clock.monotonic() - ageMs",
    test: {
      file: "src/controller/staleness.test.ts",
      name: "results of a clock that was ahead are no sign of life",
    },
  },
  "scripts of this server alone": {
    file: "src/web/pages.ts",
    text: "script-src 'self'",
    without: "script-src *",
    test: { file: "src/web/pages.test.ts", name: "/ loads nothing from elsewhere" },
  },
  frames: {
    file: "src/web/pages.ts",
    text: "frame-ancestors 'none'; ",
    without: "",
    test: {
      file: "src/web/pages.test.ts",
      name: "/ is framed by no other page, and sends no form",
    },
  },
  "a Host in every request": {
    file: "src/kit/http/host-header.ts",
    text: "if (hosts === 0 &&",
    without: "if (false &&",
    test: {
      file: "src/api/http/server.test.ts",
      name: "a request without a Host is refused with a sentence where HTTP demands one",
    },
  },
  "one Host in every request": {
    file: "src/kit/http/host-header.ts",
    text: "if (hosts > 1)",
    without: "if (false)",
    test: {
      file: "src/api/http/server.test.ts",
      name: "a request with several Hosts is refused, for a proxy may have read another",
    },
  },
  "names that are made to lead to this machine": {
    file: "src/server/metrics-access.ts",
    text: " && isOwnHost(headers.host)",
    without: "",
    test: {
      file: "src/server/metrics-access.test.ts",
      name: "a page of another site whose name leads to this machine is refused the metrics",
    },
  },
  "the recorded runtime": {
    file: "scripts/install.mjs",
    text: "if (found !== expected)",
    without: "if (false)",
    test: {
      file: "test/install.test.ts",
      name: "a runtime that is not the recorded one is refused",
    },
  },
  "finding due alerts by an index": {
    file: "src/store/tables/alerts/alert-line.ts",
    text: '"claimable_at", "<=", engine.now()',
    without: 'sql<number>`+claimable_at`, "<=", engine.now()',
    test: {
      file: "src/store/sqlite/claim-plans.test.ts",
      name: "no statement that finds or claims alerts reads all of them, even after an ANALYZE when there were few",
    },
  },
  "commit time of an account": {
    file: "src/store/sqlite/thread/commit-watch.ts",
    text: "unit.accountId === undefined;",
    without: "unit !== undefined;",
    test: {
      file: "src/store/sqlite/group-commit.test.ts",
      name: "units of one account that take long delay neither another account's nor those of none",
    },
  },
  "accounts of units": {
    file: "src/api/http/limits/fair-requests.ts",
    text: "accountId === undefined ? options : { accountId, ...options }",
    without: "options",
    test: {
      file: "src/api/http/limits/fair-requests.test.ts",
      name: "a unit is of the account whose request it comes from",
    },
  },
  "requests of an account in progress": {
    file: "src/api/http/limits/fair-requests.ts",
    text: "requests.run(accountId, async ()",
    without: "(async (work: () => Promise<ResponseBody>) => work())(async ()",
    test: {
      file: "src/api/http/limits/fair-requests.test.ts",
      name: "requests of an account that wait leave places to others, and are refused after a while",
    },
  },
  "pieces of long responses": {
    file: "src/api/http/limits/fair-requests.ts",
    text: 'gate.run(accountId, () => source.next(), pieces === 1 ? "brief" : undefined)',
    without: "source.next()",
    test: {
      file: "src/api/http/limits/fair-requests.test.ts",
      name: "accounts take turns for the pieces of long responses",
    },
  },
  "evidence of an account": {
    file: "src/store/tables/evidence.ts",
    text: "if (kept === undefined || kept.used <= mostBytes) return;",
    without: "return;",
    test: {
      file: "src/store/tables/evidence.test.ts",
      name: "evidence beyond the bytes of an account makes its oldest give way, its subaccounts' too, and nobody else's",
    },
  },
  "answers under pressure": {
    file: "src/server/connections/load-shedding.ts",
    text: "&& answered.take()",
    without: "",
    test: {
      file: "src/server/connections/load-shedding.test.ts",
      name: "of connections that are refused 200 a second are answered, of addresses that were served lately",
    },
  },
};
