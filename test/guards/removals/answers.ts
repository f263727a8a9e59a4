import type { Guard } from "../guard.ts";

/** What targets send, and how long they take. */
export const answersGuards: Readonly<Record<string, Guard>> = {
  "size of bodies": {
    file: "src/kit/http/exchange.ts",
    text: "request.maxBodyBytes ?? MAX_BODY_BYTES",
    without: "request.maxBodyBytes ?? Infinity",
    test: { file: "src/kit/http/exchange.test.ts", name: "a gzip bomb is cut at 3 MiB, decoded" },
  },
  "size of heads": {
    file: "src/kit/http/exchange.ts",
    text: "maxHeaderSize: MAX_HEAD_BYTES",
    without: "maxHeaderSize: 2 ** 30",
    test: {
      file: "src/kit/http/exchange.test.ts",
      name: "an answer with a head over 64 KiB is refused",
    },
  },
  "interim answers": {
    file: "src/kit/http/exchange.ts",
    text: "interim > MAX_INTERIM_ANSWERS",
    without: "false",
    test: {
      file: "src/kit/http/exchange.test.ts",
      name: "an answer with too many interim answers is refused",
    },
  },
  redirects: {
    file: "src/checks/http/fetch-target.ts",
    text: "redirects === MOST_REDIRECTS",
    without: "false",
    test: {
      file: "src/checks/http/http.test.ts",
      name: "four redirects are followed, and the fifth is one too many",
    },
  },
  "length of conversations": {
    file: "src/checks/net/line-connection.ts",
    text: "if (received > MOST_BYTES)",
    without: "if (false)",
    test: {
      file: "src/checks/net/line-connection.test.ts",
      name: "text that is too long is not read further than it may be",
    },
  },
  "one command in a line": {
    file: "src/checks/net/line-connection.ts",
    text: "if (/[\\r\\n\\0]/.test(line))",
    without: "if (false)",
    test: {
      file: "src/checks/net/line-connection.test.ts",
      name: '"QUIT\\r\\nDELE 1" is never sent',
    },
  },
  "runs that wait for memory": {
    file: "src/kit/concurrency/memory-budget.ts",
    text: "if (isFirst && held.exceedsFairShare(crowd, mostWaiting))",
    without: "if (false)",
    test: {
      file: "src/kit/concurrency/memory-budget.test.ts",
      name: "an account of which many wait should begin no more, and one more of it is refused at last",
    },
  },
  "memory that is left behind": {
    file: "src/kit/net/byte-queue.ts",
    text: "Buffer.from(buffer.buffer.transfer(length))",
    without: "Buffer.concat([buffer], length)",
    test: {
      file: "src/kit/net/byte-queue.test.ts",
      name: "what a queue has left behind takes no memory until a collection",
    },
  },
  "turns to begin in a probe thread": {
    file: "src/probe/start-limiter.ts",
    text: "waiting.add([accountId], { begin });",
    without: 'waiting.add([""], { begin });',
    test: {
      file: "src/probe/start-limiter.test.ts",
      name: "accounts take turns: who has many that wait to begin holds up no other",
    },
  },
  "the deadline of a run": {
    file: "src/probe/job-runner.ts",
    text: "deadline = clock.setTimer(abandon, GRACE_MS);",
    without: "",
    test: {
      file: "src/probe/job-runner.test.ts",
      name: "a run that ignores its signal is not waited for",
    },
  },
  "the signal of a run": {
    file: "src/probe/job-runner.ts",
    text: "controller.abort(DEADLINE);",
    without: "",
    test: {
      file: "src/probe/job-runner.test.ts",
      name: "a type that heeds its signal says in which phase the time ran out, and leaves nothing open",
    },
  },
  "the signal ends an exchange": {
    file: "src/kit/http/exchange.ts",
    text: "signal.aborted ? undefined : await unlessAborted(sendAndReceive(), signal)",
    without: "await sendAndReceive()",
    test: {
      file: "src/kit/http/exchange.test.ts",
      name: "the signal ends a dripping body at once, and the error says where it was",
    },
  },
  "time of a pattern": {
    file: "src/kit/patterns/pattern-worker.ts",
    text: "{ timeout: BUDGET_MS }",
    without: "{}",
    test: {
      file: "src/kit/patterns/pattern-search.test.ts",
      name: "an expression that takes for ever decides nothing",
    },
  },
  "patterns that took too long": {
    file: "src/kit/patterns/pattern-search.ts",
    text: "if (finding.isEndless) endless.add(key, monotonic());",
    without: "",
    test: {
      file: "src/kit/patterns/pattern-search.test.ts",
      name: "an expression that took for ever is refused at once, for a minute and then for two, to its account alone",
    },
  },
  "linear search of texts": {
    file: "src/kit/text-search.ts",
    text: "if (wanted.length <= LONGEST_SIMPLE) return",
    without: "return",
    test: {
      file: "src/kit/text-search.test.ts",
      name: "what is worst to look for takes no longer than the rest",
    },
  },
  "memory of responses": {
    file: "src/kit/concurrency/memory-budget.ts",
    text: "if (held.exceedsFairShare(all, mostBytes, more)) return false;",
    without: "",
    test: {
      file: "src/kit/concurrency/memory-budget.test.ts",
      name: "who has some and waits for more is refused in time, and its wait is known",
    },
  },
  "waits for memory": {
    file: "src/probe/job-runner.ts",
    text: "eventLoop.stalledSince(at) + reservation.waitedMs()",
    without: "eventLoop.stalledSince(at)",
    test: {
      file: "src/probe/job-runner.test.ts",
      name: "a run that finds no memory says nothing of its target, and holds up no other account",
    },
  },
  "runs of an account": {
    file: "src/controller/scheduler/run-slots.ts",
    text: 'counts.exceedsFairShare(quickKeys(primaryId), limits.maxRunning) ? "account" : undefined',
    without: "undefined",
    test: {
      file: "src/controller/scheduler/run-queue.test.ts",
      name: "an account alone has half of the places, and the next one half of the rest",
    },
  },
  "places apart for runs that hang": {
    file: "src/controller/scheduler/run-slots.ts",
    text: "if (taken.since > slowSince) return;",
    without: "return;",
    test: {
      file: "src/controller/scheduler/run-queue.test.ts",
      name: "runs that have not ended soon leave their places to runs that do, as far as there are places apart",
    },
  },
  "runs at a host": {
    file: "src/kit/concurrency/host-limiter.ts",
    text: "mostRuns > 0 && running",
    without: "false && running",
    test: {
      file: "src/controller/scheduler/run-queue.test.ts",
      name: "a host has so many runs at once, and one account half of them",
    },
  },
  "rate of runs at a host": {
    file: "src/kit/concurrency/host-limiter.ts",
    text: "if (isRated(host) && starts.isUsedUp(host, mostStartsASecond))",
    without: "if (false)",
    test: {
      file: "src/controller/scheduler/run-queue.test.ts",
      name: "runs begin against one host at a limited rate, but for a private one",
    },
  },
  "budget of checks that ask others": {
    file: "src/controller/scheduler/run-slots.ts",
    text: "mostPerMinute !== undefined && typeStarts.isUsedUp(budgetKey(share), mostPerMinute)",
    without: "false",
    test: {
      file: "src/controller/scheduler/run-queue.test.ts",
      name: "a type that asks others has a budget for each account",
    },
  },
  "length of lines": {
    file: "src/checks/net/line-connection.ts",
    text: "if (end > MOST_LINE_BYTES || (end === -1 && unread.length() > MOST_LINE_BYTES))",
    without: "if (false)",
    test: {
      file: "src/checks/net/line-connection.test.ts",
      name: "a line that is too long is not read further than it may be",
    },
  },
  "lines of a conversation": {
    file: "src/checks/net/line-connection.ts",
    text: "if (lines > MOST_LINES)",
    without: "if (false)",
    test: {
      file: "src/checks/net/line-connection.test.ts",
      name: "lines without an end are not read for ever: more than 10000 lines",
    },
  },
  "time of patterns by account": {
    file: "src/kit/patterns/pattern-search.ts",
    text: "accounts.charge(accountId, ms);",
    without: "",
    test: {
      file: "src/kit/patterns/pattern-search.test.ts",
      name: "beside 300 slow expressions of one account those of another are searched for at once",
    },
  },
  "threads that hang": {
    file: "src/probe/threads/watchdog.ts",
    text: 'if (usedMs >= HUNG_CPU_MS || silentLooks >= HUNG_LOOKS) return "hung";',
    without: "",
    test: {
      file: "src/probe/threads/watchdog.test.ts",
      name: "a thread that computes all the time hangs after 0.6 s",
    },
  },
  "chunks of bodies": {
    file: "src/kit/http/response-body.ts",
    text: "if (chunks > MOST_SMALL_CHUNKS + received / USUAL_CHUNK_BYTES)",
    without: "if (false)",
    test: {
      file: "src/kit/http/exchange.test.ts",
      name: "an answer with very many chunks is refused",
    },
  },
  "fragments of WebSocket messages": {
    file: "src/checks/http/websocket.ts",
    text: "maxFragments: MOST_FRAGMENTS",
    without: "maxFragments: 0",
    test: {
      file: "src/checks/http/websocket.test.ts",
      name: "odd answer 13 ends as protocol Protocol error: Protocol error: Too many message fragments",
    },
  },
  "size of WebSocket messages": {
    file: "src/checks/http/websocket.ts",
    text: "maxPayload: MOST_MESSAGE_BYTES",
    without: "maxPayload: 0",
    test: {
      file: "src/checks/http/websocket.test.ts",
      name: "a message that is longer ends as protocol Protocol error: Protocol error: Max payload size exceeded",
    },
  },
  "pings of WebSockets": {
    file: "src/checks/http/websocket.ts",
    text: "if (pings > MOST_PINGS)",
    without: "if (false)",
    test: {
      file: "src/checks/http/websocket.test.ts",
      name: "odd answer 14 ends as protocol Protocol error: Protocol error: more than 100 pings",
    },
  },
};
