import assert from "node:assert/strict";

import { plainCheck, type TestResponse } from "../../../api-fixture.ts";
import { samples } from "../../../checks/samples.ts";
import { httpPeer } from "../../../peers/http.ts";
import { closedPort } from "../../../peers/tcp.ts";
import type { ConformanceFixture, RowTests } from "../../fixture.ts";

interface Kept {
  readonly types: readonly string[];
  readonly name: string;
  /** Each comes back as it was sent. */
  readonly values: readonly unknown[];
  /** Values that it rejects. */
  readonly refused: readonly unknown[];
}

/** Asserts that checks of each type keep a parameter, from their creation and when they are changed. */
async function assertKept(
  cast: ConformanceFixture,
  { types, name, values, refused }: Kept,
): Promise<void> {
  const { ask, alice } = cast;
  for (const type of types) {
    const sent = { ...samples[type]?.least, type };
    let request = "POST /checks";
    for (const value of values) {
      const { body: check } = await ask(alice, request, { ...sent, [name]: value });
      request = `PUT /checks/${check._id}`;
      const { body: read } = await ask(alice, `GET /checks/${check._id}`);
      const shown = name === "port" ? Number(value) : value;
      assert.deepEqual(read.parameters[name], shown, `${type} ${name}`);
    }
    for (const value of refused) {
      const answer = await ask(alice, request, { [name]: value });
      assert.match(answer.body.error, new RegExp(`^${name}(\\.[^:]+)?: must be `));
      cast.refused(answer, 400, answer.body.error);
    }
  }
}

/** The first result of a new check that nothing rechecks. */
async function outcomeOf(
  cast: ConformanceFixture,
  parameters: object,
): Promise<TestResponse["body"]> {
  const { ask, alice, until } = cast;
  const { body } = await ask(alice, "POST /checks", { sens: 0, enabled: "true", ...parameters });
  return until("a result", async () => {
    const { body: results } = await ask(alice, `GET /results/${body._id}?limit=1`);
    return results[0];
  });
}

export const checkParameters = {
  contentstring: (cast) =>
    assertKept(cast, {
      types: ["DNS", "HTTPCONTENT", "HTTPADV", "FTP", "SSH", "WEBSOCKET"],
      name: "contentstring",
      values: ["Welcome back"],
      refused: [["Welcome"]],
    }),

  dnstype: (cast) =>
    assertKept(cast, {
      types: ["DNS"],
      name: "dnstype",
      values: ["ANY", "A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA", "TXT"],
      refused: ["XYZ"],
    }),

  dnstoresolve: (cast) =>
    assertKept(cast, {
      types: ["DNS"],
      name: "dnstoresolve",
      values: ["www.example.com"],
      refused: ["a..b"],
    }),

  follow: async (cast) => {
    await assertKept(cast, {
      types: ["HTTP", "HTTPCONTENT", "HTTPADV"],
      name: "follow",
      values: [true, false],
      refused: ["maybe"],
    });
    await using target = await httpPeer(({ url }, response) =>
      url === "/4"
        ? response.end()
        : response.writeHead(302, { location: `/${Number(url?.slice(1)) + 1}` }).end(),
    );
    cast.start();
    const codeAt = async (path: string, follow?: boolean): Promise<string> =>
      (await outcomeOf(cast, { type: "HTTP", target: `${target.url}/${path}`, follow })).sc;
    assert.equal(await codeAt("0", true), "200");
    assert.equal(await codeAt("-1", true), "Too many redirects");
    assert.equal(await codeAt("0"), "302");
  },

  email: (cast) =>
    assertKept(cast, {
      types: ["IMAP4", "SMTP"],
      name: "email",
      values: ["dave@example.com"],
      refused: ["dave"],
    }),

  port: async (cast) => {
    await assertKept(cast, {
      types: ["DNS", "FTP", "PORT", "SSH", "IMAP4", "POP3", "SMTP"],
      name: "port",
      values: [8025, "8025"],
      refused: [0, 65_536],
    });
    await using target = await httpPeer((_, response) => response.end());
    cast.start();
    for (const type of ["PORT", "HTTP"]) {
      const there = { type, target: type === "HTTP" ? target.url : target.host };
      assert.equal((await outcomeOf(cast, { ...there, port: target.port })).su, true);
      const elsewhere = await outcomeOf(cast, { ...there, port: await closedPort() });
      assert.equal(elsewhere.su, type === "HTTP", "HTTP takes the port of the URL");
    }
  },

  username: async (cast) => {
    await assertKept(cast, {
      types: ["FTP", "IMAP4", "POP3", "SMTP", "SSH"],
      name: "username",
      values: ["dave"],
      refused: ["dave\r\nQUIT"],
    });
    await assertNoCredentials(cast, "username");
  },

  password: async (cast) => {
    await assertKept(cast, {
      types: ["FTP", "IMAP4", "POP3", "SMTP", "SSH"],
      name: "password",
      values: ["s3cret; drop"],
      refused: ["s3cret\r\nQUIT"],
    });
    await assertNoCredentials(cast, "password");
  },

  secure: (cast) =>
    assertKept(cast, {
      types: ["IMAP4", "SMTP", "POP3"],
      name: "secure",
      values: ["false", "ssl"],
      refused: ["maybe"],
    }),

  verify: (cast) =>
    assertKept(cast, {
      types: ["IMAP4", "POP3", "SMTP"],
      name: "verify",
      values: ["true", "false"],
      refused: ["maybe"],
    }),

  ignore: (cast) =>
    assertKept(cast, {
      types: ["RBL"],
      name: "ignore",
      values: ["zen.example.org, bl.example.net"],
      refused: [7],
    }),

  invert: async (cast) => {
    await assertKept(cast, {
      types: ["FTP", "HTTPCONTENT", "HTTPADV", "PORT", "SSH", "SMTP", "WEBSOCKET"],
      name: "invert",
      values: ["true", "false"],
      refused: ["maybe"],
    });
    await using target = await httpPeer((_, response) => response.end());
    cast.start();
    for (const [invert, passes] of [
      ["true", false],
      ["false", true],
      [undefined, true],
    ] as const) {
      const open = { type: "PORT", target: target.host, port: target.port };
      assert.equal((await outcomeOf(cast, { ...open, invert })).su, passes);
    }
  },

  warningdays: (cast) =>
    assertKept(cast, {
      types: ["SSL", "POP3", "IMAP4", "SMTP"],
      name: "warningdays",
      values: [14, 0],
      refused: [-1],
    }),

  fields: (cast) =>
    assertKept(cast, {
      types: ["HTTPPARSE", "HTTPADV"],
      name: "fields",
      values: [{ Zb3qk: { name: "queue.length", min: 0, max: 99.5 } }],
      refused: [{ a: { min: 0 } }, { a: { name: "load", max: "high" } }],
    }),

  postdata: (cast) =>
    assertKept(cast, {
      types: ["HTTPADV"],
      name: "postdata",
      values: ['{"ready":true}'],
      refused: [["ready"]],
    }),

  data: (cast) =>
    assertKept(cast, {
      types: ["HTTPADV", "WEBSOCKET"],
      name: "data",
      values: [{ user: "dave", page: "1" }],
      refused: [["dave"]],
    }),

  receiveheaders: (cast) =>
    assertKept(cast, {
      types: ["HTTPADV"],
      name: "receiveheaders",
      values: [{ "Content-Type": "text/html" }],
      refused: [{ "not a name": "x" }],
    }),

  sendheaders: (cast) =>
    assertKept(cast, {
      types: ["HTTPADV"],
      name: "sendheaders",
      values: [{ Accept: "text/html", "X-Token": "abc" }],
      refused: [{ "not a name": "x" }],
    }),

  method: (cast) =>
    assertKept(cast, {
      types: ["HTTPADV"],
      name: "method",
      values: ["GET", "POST", "PUT", "HEAD", "TRACE", "CONNECT"],
      refused: ["BREW"],
    }),

  statuscode: (cast) =>
    assertKept(cast, {
      types: ["HTTPADV"],
      name: "statuscode",
      values: [404],
      refused: ["2xx"],
    }),
} satisfies Partial<RowTests<"4.7 checks">>;

/** HTTP and HTTPCONTENT have no such parameter: what they log in with stands in the URL. */
async function assertNoCredentials(
  cast: ConformanceFixture,
  name: "username" | "password",
): Promise<void> {
  const { ask, alice } = cast;
  for (const type of ["HTTP", "HTTPCONTENT"]) {
    const { body } = await ask(alice, "POST /checks", { ...plainCheck, type, [name]: "dave" });
    assert.equal(name in body.parameters, false);
  }
  const seen: (string | undefined)[] = [];
  await using target = await httpPeer(({ headers }, response) => {
    seen.push(headers.authorization);
    response.end();
  });
  cast.start();
  const http = { type: "HTTP", username: "dave", password: "ignored" };
  await outcomeOf(cast, { ...http, target: target.url });
  await outcomeOf(cast, { ...http, target: target.url.replace("//", "//erin:secret@") });
  assert.deepEqual(seen, [undefined, `Basic ${Buffer.from("erin:secret").toString("base64")}`]);
}
