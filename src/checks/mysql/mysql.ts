import { z } from "zod";

import { evaluateMetrics, tooManyLookups, type MetricField } from "../../domain/run/metric.ts";
import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import { defineCheckType } from "../check-type.ts";
import { failureOf } from "../outcome/failure.ts";
import { fields } from "../parameters/metric-fields.ts";
import { logIn, readGreeting, type Greeting, type LoginRefusal } from "./login.ts";
import { mysqlConnection, type MysqlError, type MysqlConnection } from "./packet.ts";
import { runQuery } from "./query.ts";
import { withPacketConnection } from "../net/packet-connection.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { line, text } from "../../schema/parameter.ts";
import { host, ipv6, password, portOr, secure, username } from "../parameters/parameters.ts";
import { refusal } from "../outcome/refusal.ts";
import { secretPairs } from "../parameters/secrets.ts";

const MAX_QUERY_LENGTH = 10_000;

const schema = z.object({
  target: host,
  port: portOr(3306),
  secure: secure([]),
  username,
  password,
  database: line("The database to use").register(formHints, {
    title: { en: "Database", de: "Datenbank" },
    help: { de: "Die verwendete Datenbank" },
  }),
  query: secretPairs(
    text("The query to run after the login", MAX_QUERY_LENGTH).register(formHints, {
      title: { en: "Query", de: "Abfrage" },
      help: {
        en: "Runs after the login, with the privileges of the user; use one that only reads",
        de: "Läuft nach der Anmeldung mit den Rechten des Benutzers; nehmen Sie einen, der nur lesen darf",
      },
    }),
  ),
  fields,
  ipv6,
});
type Parameters = z.output<typeof schema>;

export const mysqlCheck = defineCheckType({
  type: "MYSQL",
  title: { en: "MySQL or MariaDB", de: "MySQL oder MariaDB" },
  group: "servers",
  summary: {
    en: "Connects to a MySQL or MariaDB server, and passes if the login succeeds, and the query if there is one",
    de: "Verbindet sich mit einem Server von MySQL oder MariaDB, und besteht, wenn die Anmeldung gelingt, und die Abfrage, wenn es eine gibt",
  },
  target: "host",
  recognition: { ports: { 3306: {} } },
  example: {
    target: "db.example.com",
    port: 3306,
    secure: "ssl",
    username: "alice",
    password: "s3cret",
    database: "shop",
    query: "select count(*) as orders from orders",
    fields: { orders: { name: "orders", min: 1 } },
    ipv6: false,
  },
  schema,
  run: (parameters, context) => {
    const { target, port, ipv6 } = parameters;
    const call = { host: target, port, family: ipv6 ? 6 : undefined } as const;
    return withPacketConnection(call, context, (connection) =>
      checkServer(mysqlConnection(connection), parameters),
    );
  },
});

/** The user for a check without credentials. The server refuses it, which proves that it works. */
const TEST_USER = { username: "watchpost", password: "" };

/** Errors about the credentials; the server itself is well. */
const LOGIN_ERRORS: Readonly<Record<number, string>> = {
  1044: "no access to the database",
  1045: "access denied",
  1251: "the server wants another way to log in",
  1698: "access denied",
  1862: "the password has expired",
  3118: "the account is locked",
  3159: "the server wants TLS",
  4151: "the account is locked",
};

/** Errors that may come after the password was sent, so that the server's own text may repeat it and is not quoted. */
const SERVER_ERRORS: Readonly<Record<number, string>> = {
  1040: "too many connections",
  1049: "unknown database",
  1203: "the user has too many connections",
  1226: "the user has used up a limit",
};

const QUIT = Buffer.from([1]);

async function checkServer(connection: MysqlConnection, parameters: Parameters): Promise<Outcome> {
  const greeting = await readGreeting(connection);
  if ("code" in greeting) {
    const { code, text } = greeting;
    return { ...refusal(`Error ${code}`, `${code} ${text}`), evidence: errorText(greeting) };
  }
  const outcome = await runSession(connection, greeting, parameters).catch(failureOf);
  return { ...outcome, evidence: [greeting.version, outcome.evidence ?? []].flat().join("\n") };
}

async function runSession(
  connection: MysqlConnection,
  greeting: Greeting,
  { secure, username, password = "", database, query, fields = [] }: Parameters,
): Promise<Outcome> {
  const inTls = secure === "ssl";
  if (inTls && !greeting.offersTls) {
    await logIn(connection, greeting, { ...TEST_USER, inTls: false });
    return failed("tls", "TLS error", "TLS error: the server offers none");
  }
  const login =
    username === undefined ? { ...TEST_USER, database } : { username, password, database };
  const refused = await logIn(connection, greeting, { ...login, inTls });
  if (refused !== undefined) {
    const outcome = judgeRefusal(refused);
    const needsLogin = username !== undefined || query !== undefined || fields.length > 0;
    return needsLogin || outcome.reason !== "auth" ? outcome : passed("Responded", "Responded");
  }
  const outcome = await judgeContent(connection, query, fields);
  connection.command(QUIT);
  return outcome;
}

function judgeRefusal(refused: LoginRefusal): Outcome {
  if ("unknownMethod" in refused)
    return loginFailed(
      "the server wants a way to log in that is not known here",
      `It wants ${refused.unknownMethod}`,
    );
  const { code } = refused;
  const why = LOGIN_ERRORS[code];
  if (why !== undefined) return loginFailed(why, errorText(refused));
  const words = SERVER_ERRORS[code] ?? `error ${code}`;
  return {
    ...failed("status", `Error ${code}`, `Refused: ${words}`),
    evidence: errorText(refused),
  };
}

function loginFailed(why: string, evidence: string): Outcome {
  return { ...failed("auth", "Login failed", `Login failed: ${why}`), evidence };
}

async function judgeContent(
  connection: MysqlConnection,
  query: string | undefined,
  fields: readonly MetricField[],
): Promise<Outcome> {
  const answer = query === undefined ? { row: {} } : await runQuery(connection, query);
  if ("error" in answer) {
    const message = `Query failed: error ${answer.error.code}`;
    return { ...failed("status", "Query failed", message), evidence: errorText(answer.error) };
  }
  if (fields.length === 0) return passed("Success", "Success");
  return (
    evaluateMetrics(answer.row, fields) ??
    failed("metric", "Failure", `No fields found: ${tooManyLookups}`)
  );
}

function errorText({ code, text }: MysqlError): string {
  return `Error ${code}: ${text}`;
}
