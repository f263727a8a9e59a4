import type { Guard } from "../guard.ts";

/** What clients send. */
export const requestsGuards: Readonly<Record<string, Guard>> = {
  "finite numbers": {
    file: "src/kit/safe-json.ts",
    text: "!Number.isFinite(inner)",
    without: "false",
    test: {
      file: "src/kit/safe-json.test.ts",
      name: "JSON from outside with a number beyond all doubles is refused",
    },
  },
  "keys of prototypes in JSON": {
    file: "src/kit/safe-json.ts",
    text: "if (refusedKeys.has(key))",
    without: "if (false)",
    test: {
      file: "src/kit/safe-json.test.ts",
      name: "JSON from outside with a key that is the prototype is refused",
    },
  },
  "NUL characters": {
    file: "src/kit/safe-json.ts",
    text: 'text.includes("\\0")',
    without: "false",
    test: {
      file: "src/kit/safe-json.test.ts",
      name: "JSON from outside with a NUL in a value is refused",
    },
  },
  "keys of prototypes in forms": {
    file: "src/api/http/form.ts",
    text: "if (isPrototypeKey(key))",
    without: "if (false)",
    test: {
      file: "src/api/http/parse-request.test.ts",
      name: "a prototype in brackets is refused",
    },
  },
  "depth of forms": {
    file: "src/api/http/form.ts",
    text: "path.length > defaultLimits.depth",
    without: "false",
    test: { file: "src/api/http/parse-request.test.ts", name: "deep brackets is refused" },
  },
  "one value or its parts": {
    file: "src/api/http/form.ts",
    text: 'if (typeof known === "string")\n      throw',
    without: "if (false)\n      throw",
    test: {
      file: "src/api/http/parse-request.test.ts",
      name: "a value that is also a structure is refused",
    },
  },
  "own values of metrics": {
    file: "src/domain/run/metric.ts",
    text: " || !Object.hasOwn(data, key)) return undefined;\n  return Object.getOwnPropertyDescriptor(data, key)?.value;",
    without: ") return undefined;\n  return (data as never)[key];",
    test: { file: "src/checks/push.test.ts", name: "what objects inherit is absent" },
  },
  "headers that cannot be set": {
    file: "src/kit/http/request-head.ts",
    text: "if (reservedHeaders.has(name.toLowerCase()))",
    without: "if (false)",
    test: {
      file: "src/kit/http/request-head.test.ts",
      name: 'the header {"Content-Length":"5"} is refused',
    },
  },
  "characters of headers": {
    file: "src/kit/http/request-head.ts",
    text: "validateHeaderValue(name, value);",
    without: "",
    test: {
      file: "src/kit/http/request-head.test.ts",
      name: 'the header {"X-One":"1\\r\\nX-Two: 2"} is refused',
    },
  },
  "keys of heartbeats": {
    file: "src/heartbeats/read-heartbeat.ts",
    text: 'parseJson("body", text, METRIC_LIMITS)',
    without: 'parseJson("body", text, { depth: 20, keys: Infinity })',
    test: {
      file: "src/heartbeats/heartbeats.test.ts",
      name: "metrics without end is refused and keeps nothing",
    },
  },
  "rate of heartbeats": {
    file: "src/heartbeats/heartbeats.ts",
    text: 'isThrottled(received, clock) ? "throttled" : isLimited() && "limited"',
    without: 'isLimited() && "limited"',
    test: {
      file: "src/heartbeats/heartbeats.test.ts",
      name: "the sixth heartbeat within a minute is throttled, and the next minute's is not",
    },
  },
  "rate of tokens": {
    file: "src/api/http/callers/token-callers.ts",
    text: "addRateLimitHeaders(reply, await limitToken(digest));",
    without: "",
    test: {
      file: "src/api/http/limits/rate-limit.test.ts",
      name: "a token has so many requests a minute, and every answer says how many are left",
    },
  },
  referrers: {
    file: "src/api/http/server.ts",
    text: '"referrer-policy": "no-referrer",',
    without: "",
    test: {
      file: "src/api/http/server.test.ts",
      name: "answers are JSON on one line, not to be stored, sniffed or referred to",
    },
  },
  "opaque internal errors": {
    file: "src/api/http/responses/send-error.ts",
    text: "`Internal error, reference ${request.id}`",
    without: "error.message",
    test: {
      file: "src/api/http/server.test.ts",
      name: "an error of ours stays opaque: its text is in the log under the reference in the response",
    },
  },
  "depth of JSON": {
    file: "src/kit/safe-json.ts",
    text: "{ depth: 20, keys",
    without: "{ depth: Infinity, keys",
    test: {
      file: "src/kit/safe-json.test.ts",
      name: "JSON from outside with 21 levels is refused",
    },
  },
  "keys of JSON": {
    file: "src/kit/safe-json.ts",
    text: "keys: 10_000 }",
    without: "keys: Infinity }",
    test: {
      file: "src/kit/safe-json.test.ts",
      name: "JSON from outside with 10,001 keys is refused",
    },
  },
  "parameters of forms": {
    file: "src/kit/http/form-pairs.ts",
    text: "pairs.length === mostParameters",
    without: "false",
    test: {
      file: "src/kit/http/form-pairs.test.ts",
      name: "more parameters than allowed are refused, and empty ones are not counted",
    },
  },
  "lookups of metrics": {
    file: "src/domain/run/metric.ts",
    text: "MOST_LOOKUPS = 20_000",
    without: "MOST_LOOKUPS = 2_000_000_000",
    test: {
      file: "src/domain/run/metric.test.ts",
      name: "fields that very many ways lead to are not looked up to the end",
    },
  },
  "one line in parameters": {
    file: "src/schema/parameter.ts",
    text: " || /\\p{Cc}/u.test(line) ? undefined",
    without: " ? undefined",
    test: {
      file: "src/checks/parameters/parameters.test.ts",
      name: "no text that becomes a part of a command or a header can end its line",
    },
  },
  "length of time zones": {
    file: "src/schema/time-zone.ts",
    text: "if (text.length > LONGEST) return undefined;",
    without: "",
    test: {
      file: "src/schema/time-zone.test.ts",
      name: '"1                                       " is no time zone',
    },
  },
  "length of chains of dependencies": {
    file: "src/api/resources/checks/write-check.ts",
    text: "if (above.length + below > LONGEST_CHAIN)",
    without: "if (false)",
    test: {
      file: "src/api/resources/checks/notes.test.ts",
      name: "ten checks may depend on each other in a row, and no more, from whichever end the chain is made",
    },
  },
  "cycles of dependencies": {
    file: "src/api/resources/checks/write-check.ts",
    text: "if (above.includes(id)) throw",
    without: "if (false) throw",
    test: {
      file: "src/api/resources/checks/notes.test.ts",
      name: "a check depends on another of its account, never on itself or a stranger's, and on none again",
    },
  },
  "precedence of parameters": {
    file: "src/api/http/parse-request.ts",
    text: "{ ...query, ...form, ...jsonInQuery",
    without: "{ ...form, ...query, ...jsonInQuery",
    test: {
      file: "src/api/http/parse-request.test.ts",
      name: "what comes later wins: query, form, json in the query, json in the form, JSON body",
    },
  },
  "authentication before bodies": {
    file: "src/api/http/handle-request.ts",
    text: "beside === undefined ? await identifySession(reply) : await identify(beside, reply)",
    without: "undefined as Caller | undefined",
    test: {
      file: "src/api/http/authentication-first.test.ts",
      name: "in the query is refused before a byte of the body has come, and the connection ends",
    },
  },
  "size of requests": {
    file: "src/api/http/handle-request.ts",
    text: "mostBytes: MOST_BODY_BYTES",
    without: "mostBytes: 2 ** 30",
    test: {
      file: "src/api/http/server.test.ts",
      name: "a body of more than a mebibyte answers 413, and one of just that is read",
    },
  },
  "size of heartbeats": {
    file: "src/heartbeats/handler.ts",
    text: "mostBytes: MOST_BODY_BYTES",
    without: "mostBytes: 2 ** 30",
    test: {
      file: "src/heartbeats/heartbeats.test.ts",
      name: "a body that is too large is refused and keeps nothing",
    },
  },
  "tokens that do not exist": {
    file: "src/kit/http/admission.ts",
    text: "unknown.spend(client, 1) ? undefined : tooMany()",
    without: "unknown.spend(client, 1), undefined",
    test: {
      file: "src/api/http/authentication-first.test.ts",
      name: "is read where it is small, whoever else has sent what from the address",
    },
  },
  "bodies of strangers": {
    file: "src/kit/http/admission.ts",
    text: "if (!unknown.spend(client, points)) throw tooMany();",
    without: "",
    test: {
      file: "src/api/http/authentication-first.test.ts",
      name: "counts by its size until the token is found, and costs nothing then",
    },
  },
  "rate of client addresses": {
    file: "src/api/http/server.ts",
    text: "addRateLimitHeaders(reply, await limitAddress(admission.clientOf(request.raw))),",
    without: "{},",
    test: {
      file: "src/api/http/limits/rate-limit.test.ts",
      name: "an address has so many requests a minute, whatever token they carry, and they cost nothing before",
    },
  },
  "connections of a client": {
    file: "src/server/connections/connection-limits.ts",
    text: 'if (isFull) return makeRoom(own, "address");',
    without: "",
    test: {
      file: "src/server/connections/connection-limits.test.ts",
      name: "of one client beyond its limit close the one that has waited longest, and none of another client",
    },
  },
  "connections accepted in a turn": {
    file: "src/server/connections/listening-sockets.ts",
    text: "const SOCKETS = 32;",
    without: "const SOCKETS = 2;",
    test: {
      file: "src/server/connections/listening-sockets.test.ts",
      name: "accept many connections in a turn of the event loop, and serve them alike",
    },
  },
  "strangers under pressure": {
    file: "src/server/connections/load-shedding.ts",
    text: "if (left < 1) return false;",
    without: "",
    test: {
      file: "src/server/connections/load-shedding.test.ts",
      name: "under pressure strangers are let in 1,000 times together, and then 200 times a second",
    },
  },
  "connections in all": {
    file: "src/server/connections/connection-limits.ts",
    text: 'return open.count() < most || makeRoom(open.largest(), "all");',
    without: "return true;",
    test: {
      file: "src/server/connections/connection-limits.test.ts",
      name: "in all beyond the limit close one of the client that has most",
    },
  },
  "turns of parsing": {
    file: "src/server/connections/read-turns.ts",
    text: "usedMs < TURN_MS && waiting.size === 0",
    without: "true",
    test: {
      file: "src/server/connections/read-turns.test.ts",
      name: "is parsed in turns by client, however much one of them sends",
    },
  },
  "bodies that nobody reads": {
    file: "src/server/connections/read-turns.ts",
    text: "countUnread(reader) >= MOST_UNREAD_SLICES",
    without: "false",
    test: {
      file: "src/server/connections/read-turns.test.ts",
      name: "is not parsed while nobody reads the body",
    },
  },
  "memory of what is not parsed": {
    file: "src/server/connections/read-turns.ts",
    text: "reader.memory.grow(socket.readableLength);",
    without: "",
    test: {
      file: "src/server/connections/read-turns.test.ts",
      name: "is bounded while it is held: connections beyond that are closed",
    },
  },
  "alerts in few statements": {
    file: "src/store/tables/alerts/alerts.ts",
    text: "const INSERTED_ROWS = 100;",
    without: "const INSERTED_ROWS = 1;",
    test: {
      file: "src/store/tables/alerts/alerts.test.ts",
      name: "the alerts of a flip to many addresses are inserted by few statements, each of which holds the main thread",
    },
  },
  "pages of checks by size": {
    file: "src/store/tables/checks/check-records.ts",
    text: "limit = nextLimit(rows, size);",
    without: "limit = size.most;",
    test: {
      file: "src/store/tables/checks/checks.test.ts",
      name: "a page of a list has as many checks as are read in a short time, however large they are",
    },
  },
  "requests of one connection": {
    file: "src/server/connections/connection-limits.ts",
    text: "if (connection.requests > MOST_PIPELINED) {",
    without: "if (false) {",
    test: {
      file: "src/server/connections/connection-limits.test.ts",
      name: "with many requests at once get as many worked on as may wait, and a refusal",
    },
  },
  "no passwords of browsers": {
    file: "src/api/http/server.ts",
    text: '"referrer-policy": "no-referrer",',
    without: '"referrer-policy": "no-referrer", "www-authenticate": "Basic",',
    test: {
      file: "test/guards/absent.test.ts",
      name: "no refusal makes a browser ask for a password, which it would then send on its own",
    },
  },
  "records of an account": {
    file: "src/api/quota.ts",
    text: "if (kind !== undefined) throw",
    without: "if (false) throw",
    test: {
      file: "src/api/quota.test.ts",
      name: "each kind of record has a limit, which the refusal and the account name",
    },
  },
  "tokens in logs": {
    file: "src/api/http/server.ts",
    text: "from: request.ip,",
    without: "from: request.ip,\n    path: request.url,",
    test: {
      file: "src/api/http/server.test.ts",
      name: "a token is in no log line, however it was sent",
    },
  },
  "bytes before a request": {
    file: "src/server/connections/connection-limits.ts",
    text: "return socket.bytesRead - connection.idle.bytes > MOST_BYTES_BEFORE_HEAD;",
    without: "return false;",
    test: {
      file: "src/server/connections/connection-limits.test.ts",
      name: "that send empty lines before a request are closed, those that send large requests are not",
    },
  },
  "responses to refused bodies": {
    file: "src/server/connections/connection-limits.ts",
    text: "socket.destroySoon = () => endConnection(connection, clock);",
    without: "",
    test: {
      file: "src/server/connections/connection-limits.test.ts",
      name: "whose request is refused while its body comes get the whole response, and no reset: by chunks",
    },
  },
  "bodies after a refusal": {
    file: "src/server/connections/connection-limits.ts",
    text: "if (bytes > MOST_BYTES) socket.destroy();",
    without: "",
    test: {
      file: "src/server/connections/connection-limits.test.ts",
      name: "that go on sending after a refusal are closed in time",
    },
  },
  "memory of bodies": {
    file: "src/kit/http/body-memory.ts",
    text: "if (all + more > allBytes)",
    without: "if (false)",
    test: {
      file: "src/kit/http/read-body.test.ts",
      name: "the memory of bodies is limited in all and for each client, and returned once",
    },
  },
  "memory of a client's bodies": {
    file: "src/kit/http/body-memory.ts",
    text: "if ((held.get(client) ?? 0) + more > clientBytes)",
    without: "if (false)",
    test: {
      file: "src/kit/http/read-body.test.ts",
      name: "the memory of bodies is limited in all and for each client, and returned once",
    },
  },
  "pieces of bodies": {
    file: "src/kit/http/read-body.ts",
    text: "if (pieces > mostSmallPieces + bytes / USUAL_PIECE_BYTES)",
    without: "if (false)",
    test: {
      file: "src/kit/http/read-body.test.ts",
      name: "in many pieces smaller than the smallest segments of TCP is refused",
    },
  },
  "addresses that proxies send": {
    file: "src/kit/http/client-address.ts",
    text: "trusts(peer, 0) ? proxyAddr(request, trusts) : peer",
    without: "proxyAddr(request, () => true)",
    test: {
      file: "src/api/http/limits/rate-limit.test.ts",
      name: "behind a trusted proxy the address is the client's, and a stranger cannot lie about his",
    },
  },
  "heartbeats of a client": {
    file: "src/heartbeats/handler.ts",
    text: "maySend = (): boolean => limitHeartbeats.spend(client, 1);",
    without: "maySend = (): boolean => true;",
    test: {
      file: "src/heartbeats/admission.test.ts",
      name: "beyond the limit of its address is not stored, and proves that its check is alive",
    },
  },
  "rate of heartbeats over changes": {
    file: "src/heartbeats/heartbeat-states.ts",
    text: "before === undefined ? stored : withStored(before, stored)",
    without: "stored",
    test: {
      file: "src/heartbeats/heartbeats.test.ts",
      name: "a change does not let a check take more heartbeats within a minute",
    },
  },
  "deadline of headers": {
    file: "src/api/http/create-fastify.ts",
    text: "headersTimeout: HEADERS_TIMEOUT_MS",
    without: "headersTimeout: REQUEST_TIMEOUT_MS",
    test: {
      file: "src/api/http/server.test.ts",
      name: "headers must have come within ten seconds, and the refusal says so",
    },
  },
  "descriptors that stay free": {
    file: "src/server/connections/descriptor-limit.ts",
    text: "Math.min(set, Math.floor(limit / 2))",
    without: "set",
    test: {
      file: "src/server/connections/descriptor-limit.test.ts",
      name: "with 1024 descriptors and the setting 5000 there are at most 512 connections",
    },
  },
  "size of parameters": {
    file: "src/schema/field.ts",
    text: "maxLength ?? longestText(type)",
    without: "Infinity",
    test: {
      file: "test/bounded-parameters.test.ts",
      name: "no parameter takes a text that is longer than it says",
    },
  },
  "tokens in the paths of logs": {
    file: "src/api/http/request-path.ts",
    text: 'part : "[redacted]"',
    without: "part : part",
    test: {
      file: "src/api/http/server.test.ts",
      name: "a token is in no log line, however it was sent",
    },
  },
};
