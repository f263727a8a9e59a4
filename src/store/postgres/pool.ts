import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { Client, DatabaseError, Pool, types, type ClientConfig, type PoolClient } from "pg";

import type { Secret } from "../../kit/crypto/secret.ts";
import { messageOf, Unavailable } from "../../kit/errors.ts";
import { parsersWithNumbers } from "./dialect.ts";
import { certificateReason, TLS_PARAMETERS, tlsOf } from "./tls.ts";

export interface PoolOptions {
  /** URL in the format of the PostgreSQL client. */
  readonly url: Secret;
  readonly most: number;
  /** A statement without an answer for longer ends with its connection; 0 waits for ever. */
  readonly answerWithinMs?: number;
  /** How long a new connection may take to open. */
  readonly connectWithinMs?: number;
}

/** Longer than the server lets a statement of a unit take, so that it is the one to say why it ended. */
const ANSWER_WITHIN_MS = 5000;
const CONNECT_WITHIN_MS = 5000;
/** Until a connection is free. This process uses all of them then, which says nothing about the database. */
const FREE_WITHIN_MS = 20_000;
const NONE_FREE = "timeout exceeded when trying to connect";

/** Message for a transaction with an unknown end. */
const MAY_BE_STORED = "it is not known whether this was stored";

/**
 * Connections to the database of an URL. Whatever keeps one from answering is Unavailable, and the connection is closed: after a cut
 * of the network the system would wait for it for a quarter of an hour.
 */
export function createPool({
  url,
  most,
  answerWithinMs = ANSWER_WITHIN_MS,
  connectWithinMs = CONNECT_WITHIN_MS,
}: PoolOptions): PostgresPool {
  const { href, place, ssl } = connectionOf(url.reveal());
  const pool = new Pool({
    connectionString: href,
    ssl,
    max: most,
    types: parsersWithNumbers(types),
    connectionTimeoutMillis: FREE_WITHIN_MS,
    Client: clientConnectedWithin(connectWithinMs),
    ...(answerWithinMs > 0 && { query_timeout: answerWithinMs }),
    keepAlive: true,
    // Statements are sent without waiting for the answer to BEGIN.
    pipeline: true,
    application_name: "watchpost",
  });
  // An idle connection that ends is replaced.
  pool.on("error", () => {});
  return {
    options: {},
    end: () => pool.end(),
    async connect() {
      try {
        return guarded(await pool.connect(), place);
      } catch (error) {
        if (messageOf(error) === NONE_FREE)
          throw new Unavailable(
            `all ${most} connections to the database at ${place} have been in use for ${FREE_WITHIN_MS / 1000} s`,
          );
        throw unavailable(error, `cannot connect to the database at ${place}`);
      }
    },
  };
}

/** The pool knows one time limit for opening a connection and for waiting until one is free. */
function clientConnectedWithin(connectionTimeoutMillis: number): typeof Client {
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super({ ...(typeof config === "object" && config), connectionTimeoutMillis });
    }
  };
}

/** The driver would read what is about TLS its own way. */
function connectionOf(url: string) {
  const parsed = new URL(url);
  const place = `${parsed.hostname}:${parsed.port || "5432"}`;
  const ssl = tlsOf(parsed);
  for (const name of TLS_PARAMETERS) parsed.searchParams.delete(name);
  return { href: parsed.href, place, ssl };
}

/** A connection that is closed, not used again, once it failed. */
function guarded(
  client: PostgresPoolClient & Pick<PoolClient, "on" | "removeListener">,
  place: string,
): PostgresPoolClient {
  let failure: Unavailable | undefined;
  const fail = (error: unknown, said: string): Unavailable => (failure = unavailable(error, said));
  // The server may end an idle session.
  const onError = (error: unknown): void =>
    void fail(error, `the database at ${place} closed the connection`);
  client.on("error", onError);
  const ask = async <Row>(
    text: string,
    values: readonly unknown[],
  ): Promise<PostgresQueryResult<Row>> => {
    if (failure !== undefined) {
      // The server has rolled back already.
      if (text === "rollback") return { command: "ROLLBACK", rowCount: 0, rows: [] };
      throw failure;
    }
    try {
      return await client.query<Row>(text, [...values]);
    } catch (error) {
      if (isOfTheStatement(error)) throw error;
      const after = text === "commit" ? `, and ${MAY_BE_STORED}` : "";
      throw fail(error, `the database at ${place} does not answer${after}`);
    }
  };
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(
    asked: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): PostgresCursor<Row> | Promise<PostgresQueryResult<Row>> {
    if (typeof asked !== "string") throw new Error("the store reads without cursors");
    return ask<Row>(asked, values);
  }
  return {
    query,
    release(destroy = false) {
      client.removeListener("error", onError);
      client.release(destroy || failure !== undefined);
    },
  };
}

/** Connection exception, insufficient resources, operator intervention, system error, read-only, idle for too long in a transaction: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const TROUBLE = /^(?:08|53|57(?!014)|58|25006|25P03|28|3D)/;

function isOfTheStatement(error: unknown): boolean {
  return error instanceof DatabaseError && !TROUBLE.test(error.code ?? "");
}

function unavailable(cause: unknown, said: string): Unavailable {
  return new Unavailable(`${said}: ${reasonOf(cause)}`, { cause });
}

/** The system tries each address of a name, and says of all of them together nothing. */
function reasonOf(error: unknown): string {
  const certificate = certificateReason(error);
  if (certificate !== undefined) return certificate;
  const each = error instanceof AggregateError ? error.errors.map(messageOf) : [];
  return each.length > 0 ? each.join(", ") : messageOf(error);
}
