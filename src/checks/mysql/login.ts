import { createHash, publicEncrypt } from "node:crypto";

import { ProtocolError } from "../../kit/protocol-error.ts";
import {
  END,
  errorIn,
  MORE,
  OK,
  readerOf,
  type MysqlError,
  type MysqlConnection,
} from "./packet.ts";

const NATIVE = "mysql_native_password";
const CACHING_SHA2 = "caching_sha2_password";
const EMPTY = Buffer.alloc(0);

/** The length that MariaDB's client_ed25519 expects; any other length counts as a broken login and gets our address blocked. */
const NO_RESPONSE = Buffer.alloc(64);

const METHODS: ReadonlyMap<string, (password: string, nonce: Buffer) => Buffer> = new Map([
  [
    NATIVE,
    (password, nonce) => {
      const key = digest("sha1", password);
      return xor(key, digest("sha1", nonce, digest("sha1", key)));
    },
  ],
  [
    CACHING_SHA2,
    (password, nonce) => {
      const key = digest("sha256", password);
      return xor(key, digest("sha256", digest("sha256", key), nonce));
    },
  ],
]);

export interface Greeting {
  readonly version: string;
  readonly offersTls: boolean;
  /** The authentication method that the server expects. */
  readonly method: string;
  readonly nonce: Buffer;
}

export interface MysqlLogin {
  readonly username: string;
  /** Empty if there is none. */
  readonly password: string;
  readonly database?: string | undefined;
  readonly inTls: boolean;
}

/** Why the login was refused: the server's error, or an authentication method that is not supported here. */
export type LoginRefusal = MysqlError | { readonly unknownMethod: string };

const PROTOCOL = 10;
const NONCE_BYTES = 20;
const MAX_PACKET_BYTES = 2 ** 24;
const UTF8 = 45;

const LONG_PASSWORD = 0x1;
const WITH_DATABASE = 0x8;
const PROTOCOL_41 = 0x200;
const TLS = 0x800;
const SECURE_CONNECTION = 0x8000;
/** Stored procedures can return results only with this capability. */
const MULTI_RESULTS = 0x2_0000;
const NAMED_METHODS = 0x8_0000;
const ALWAYS = LONG_PASSWORD | PROTOCOL_41 | SECURE_CONNECTION | MULTI_RESULTS | NAMED_METHODS;

const CACHED = 3;
const NOT_CACHED = 4;
const KEY_REQUEST = Buffer.from([2]);

/** Reads the server's greeting, or the error it sends in its place. */
export async function readGreeting(connection: MysqlConnection): Promise<Greeting | MysqlError> {
  const packet = await connection.read();
  const error = errorIn(packet);
  if (error !== undefined) return error;
  const reader = readerOf(packet);
  if (reader.integer(1) !== PROTOCOL) throw new ProtocolError("not a greeting");
  const version = reader.textToZero();
  reader.take(4);
  const nonceBegin = reader.take(8);
  reader.take(1);
  const lowFlags = reader.integer(2);
  reader.take(3);
  const flags = lowFlags | (reader.integer(2) << 16);
  const nonceBytes = reader.integer(1);
  reader.take(10);
  const nonceEnd = reader.take(Math.max(13, nonceBytes - nonceBegin.length));
  return {
    // MariaDB puts that prefix before its version, for old replicas.
    version: version.replace(/^5\.5\.5-(?=\d)/, ""),
    offersTls: (flags & TLS) !== 0,
    method: (flags & NAMED_METHODS) === 0 ? NATIVE : reader.textToZero(),
    nonce: Buffer.concat([nonceBegin, nonceEnd], NONCE_BYTES),
  };
}

/** Undefined if the login succeeded. It is always completed, because servers block hosts that disconnect during a login. */
export async function logIn(
  connection: MysqlConnection,
  greeting: Greeting,
  { username, password, database, inTls }: MysqlLogin,
): Promise<LoginRefusal | undefined> {
  const head = Buffer.alloc(32);
  const flags = ALWAYS | (database === undefined ? 0 : WITH_DATABASE) | (inTls ? TLS : 0);
  head.writeUInt32LE(flags, 0);
  head.writeUInt32LE(MAX_PACKET_BYTES, 4);
  head.writeUInt8(UTF8, 8);
  if (inTls) {
    connection.write(head);
    await connection.startTls();
  }
  const method = isSupported(greeting.method) ? greeting.method : NATIVE;
  const credentials = { method, password, nonce: greeting.nonce };
  const authData = authResponse(credentials);
  const names = database === undefined ? [method] : [database, method];
  const parts = [
    zeroEnded(username),
    Buffer.from([authData.length]),
    authData,
    ...names.map(zeroEnded),
  ];
  connection.write(Buffer.concat([head, ...parts]));
  const answer = await connection.read();
  return answer[0] === END
    ? switchMethod(connection, answer, { password, inTls })
    : finish(connection, answer, { ...credentials, inTls });
}

/** In the way that the server wants of this user. */
async function switchMethod(
  connection: MysqlConnection,
  request: Buffer,
  { password, inTls }: Pick<MysqlLogin, "password" | "inTls">,
): Promise<LoginRefusal | undefined> {
  const reader = readerOf(request.subarray(1));
  // No name means the method of before MySQL 4.1.
  const method = reader.textToZero() || "mysql_old_password";
  const credentials = { method, password, nonce: reader.rest().subarray(0, NONCE_BYTES) };
  connection.write(authResponse(credentials));
  const answer = await connection.read();
  if (isSupported(method)) return finish(connection, answer, { ...credentials, inTls });
  if (answer[0] === OK) return undefined;
  // The error of the server is less helpful when the method was not supported.
  return (password === "" ? errorIn(answer) : undefined) ?? { unknownMethod: method };
}

async function finish(
  connection: MysqlConnection,
  answer: Buffer,
  credentials: AuthCredentials & Pick<MysqlLogin, "inTls">,
): Promise<MysqlError | undefined> {
  const isIncomplete = answer[0] === MORE && credentials.method === CACHING_SHA2;
  const last = isIncomplete ? await finishSha2(connection, answer, credentials) : answer;
  const error = errorIn(last);
  if (error === undefined && last[0] !== OK) throw new ProtocolError("not an answer to the login");
  return error;
}

/** The server caches recent logins; otherwise it wants the password itself, over TLS or encrypted with its key. */
async function finishSha2(
  connection: MysqlConnection,
  [, state]: Buffer,
  { password, nonce, inTls }: AuthCredentials & Pick<MysqlLogin, "inTls">,
): Promise<Buffer> {
  if (state === CACHED) return connection.read();
  if (state !== NOT_CACHED) throw new ProtocolError("not an answer to the login");
  const secret = zeroEnded(password);
  if (inTls) connection.write(secret);
  else {
    connection.write(KEY_REQUEST);
    const answer = await connection.read();
    if (answer[0] !== MORE) return answer;
    connection.write(encryptPassword(secret, { nonce, key: answer.subarray(1) }));
  }
  return connection.read();
}

function zeroEnded(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

/** A password and the authentication method to prove it by. */
interface AuthCredentials {
  readonly method: string;
  /** Empty if there is none. */
  readonly password: string;
  readonly nonce: Buffer;
}

function isSupported(method: string): boolean {
  return METHODS.has(method);
}

/** The response to the server's challenge; for an unknown method one that proves nothing. */
function authResponse({ method, password, nonce }: AuthCredentials): Buffer {
  const compute = METHODS.get(method);
  if (compute === undefined) return NO_RESPONSE;
  return password === "" ? EMPTY : compute(password, nonce);
}

/** Encrypts the password with the server's key, by RSA-OAEP with SHA-1. Without TLS the key is not verified. */
function encryptPassword(
  secret: Buffer,
  { nonce, key }: { readonly nonce: Buffer; readonly key: Buffer },
): Buffer {
  try {
    return publicEncrypt(key, xor(secret, nonce));
  } catch (error) {
    throw new ProtocolError("a key that cannot be used", { cause: error });
  }
}

function digest(algorithm: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Repeats the second buffer if it is shorter. */
function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index % other.length] ?? 0)));
}
