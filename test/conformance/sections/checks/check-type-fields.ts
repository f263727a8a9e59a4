import assert from "node:assert/strict";

import type { ConformanceFixture, RowTest, RowTests } from "../../fixture.ts";

const host = { target: "host.example.com" };
const web = { target: "https://www.example.com/" };
const login = { username: "dave", password: "s3cret" };
const mail = { verify: "true", secure: "ssl", ...login, warningdays: 14 };
const email = "dave@example.com";
const fields = { a: { name: "load", min: 0, max: 4 } };

/** Fields that no check of a type without fields keeps. */
const foreign = { email, ignore: "zen.example.org", postdata: "x", statuscode: 200 };

/** Asserts that a check of the type has exactly these parameters besides the common ones. */
async function assertFields(cast: ConformanceFixture, type: string, sent: object): Promise<void> {
  const { ask, alice } = cast;
  const common = { sens: 1, threshold: 7 };
  const { body: made } = await ask(alice, "POST /checks", { type, ...common, ...sent });
  const { body: read } = await ask(alice, `GET /checks/${made._id}`);
  assert.deepEqual(read.parameters, { ...common, ...sent }, type);
}

function takes(type: string, sent: object): RowTest {
  return (cast) => assertFields(cast, type, sent);
}

export const checkTypeFields = {
  "fields of AUDIO, HTTP, MYSQL, PING, RDP, SIP": async (cast) => {
    const { ask, alice } = cast;
    for (const type of ["AUDIO", "HTTP", "MYSQL", "PING", "RDP", "SIP"]) {
      const target = type === "AUDIO" || type === "HTTP" ? web : host;
      await assertFields(cast, type, target);
      const { body } = await ask(alice, "POST /checks", { type, ...target, ...foreign });
      assert.deepEqual(body.parameters, { ...target, threshold: 5 });
    }
  },
  "fields of DNS": takes("DNS", {
    ...host,
    contentstring: "192.0.2.1",
    port: 5353,
    dnstoresolve: "www.example.com",
    dnstype: "A",
  }),
  "fields of FTP": takes("FTP", {
    ...host,
    ...login,
    invert: "false",
    contentstring: "backup.tar",
    port: 2121,
  }),
  "fields of HTTPADV": takes("HTTPADV", {
    ...web,
    invert: "false",
    contentstring: "Welcome",
    data: { page: "1" },
    method: "POST",
    postdata: "page=1",
    receiveheaders: { Server: "nginx" },
    sendheaders: { Accept: "text/html" },
    statuscode: 200,
  }),
  "fields of HTTPCONTENT": takes("HTTPCONTENT", {
    ...web,
    invert: "true",
    contentstring: "Fatal error",
  }),
  "fields of HTTPPARSE": takes("HTTPPARSE", { ...web, fields }),
  "fields of IMAP4": takes("IMAP4", { ...host, ...mail, port: 993, email }),
  "fields of POP3": takes("POP3", { ...host, ...mail, port: 995 }),
  "fields of PORT": takes("PORT", { ...host, invert: "true", port: 8080 }),
  "fields of RBL": takes("RBL", { ...host, ignore: "zen.example.org" }),
  "fields of SMTP": takes("SMTP", { ...host, ...mail, invert: "true", port: 465, email }),
  "fields of SSH": takes("SSH", {
    ...host,
    ...login,
    invert: "false",
    contentstring: "Last login",
    port: 2222,
  }),
  "fields of SSL": takes("SSL", { ...host, warningdays: 30 }),
  "fields of WEBSOCKET": takes("WEBSOCKET", {
    target: "wss://www.example.com/chat",
    invert: "false",
    contentstring: "pong",
    data: { op: "ping" },
  }),
  "fields of PUSH": async ({ ask, alice }) => {
    const sent = { sens: 3, threshold: 7, fields, oldresultfail: "true" };
    const { body } = await ask(alice, "POST /checks", { type: "PUSH", ...sent });
    const { checktoken, ...parameters } = body.parameters;
    assert.deepEqual(parameters, sent);
    assert.match(checktoken, /^[A-Z0-9]{8}(-[A-Z0-9]{4}){3}-[A-Z0-9]{12}$/);
  },
} satisfies Partial<RowTests<"4.7 checks">>;
