import { ProtocolError } from "../../kit/protocol-error.ts";
import { END, errorIn, MORE, OK, readerOf } from "./packet.ts";
import type { MysqlError, MysqlConnection } from "./packet.ts";
import {
  CACHING_SHA2,
  isSupported,
  NATIVE,
  authResponse,
  encryptPassword,
} from "./authentication.ts";
import type { AuthCredentials } from "./authentication.ts";

export interface Greeting {
  readonly version: string;
  readonly offersTls: boolean;
  /** How the server expects one to log in. */
  readonly method: string;
  readonly nonce: Buffer;
}

export interface Login {
  readonly username: string;
  /** Empty where there is none. */
  readonly password: string;
  readonly database?: string | undefined;
  readonly inTls: boolean;
}

/** Why one is not let in: the server's error, or a way to log in that is not known here. */
export type Refusal = MysqlError | { readonly unknownMethod: string };

const PROTOCOL = 10;
const NONCE_BYTES = 20;
const MOST_PACKET_BYTES = 2 ** 24;
const UTF8 = 45;

const LONG_PASSWORD = 0x1;
const WITH_DATABASE = 0x8;
const PROTOCOL_41 = 0x200;
const TLS = 0x800;
const SECURE_CONNECTION = 0x8000;
/** Without it no procedure may give a result. */
const MULTI_RESULTS = 0x2_0000;
const NAMED_METHODS = 0x8_0000;
const ALWAYS = LONG_PASSWORD | PROTOCOL_41 | SECURE_CONNECTION | MULTI_RESULTS | NAMED_METHODS;

const CACHED = 3;
const NOT_CACHED = 4;
const KEY_REQUEST = Buffer.from([2]);

/** The server's first words: its greeting, or why there is none for us. */
export async function readGreeting(talk: MysqlConnection): Promise<Greeting | MysqlError> {
  const packet = await talk.read();
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
    // MariaDB says so to replicas that know of no version after that.
    version: version.replace(/^5\.5\.5-(?=\d)/, ""),
    offersTls: (flags & TLS) !== 0,
    method: (flags & NAMED_METHODS) === 0 ? NATIVE : reader.textToZero(),
    nonce: Buffer.concat([nonceBegin, nonceEnd], NONCE_BYTES),
  };
}

/** Undefined where one is let in. The login always comes to its end, for a server blocks the hosts of those who leave before. */
export async function logIn(
  talk: MysqlConnection,
  greeting: Greeting,
  { username, password, database, inTls }: Login,
): Promise<Refusal | undefined> {
  const head = Buffer.alloc(32);
  const flags = ALWAYS | (database === undefined ? 0 : WITH_DATABASE) | (inTls ? TLS : 0);
  head.writeUInt32LE(flags, 0);
  head.writeUInt32LE(MOST_PACKET_BYTES, 4);
  head.writeUInt8(UTF8, 8);
  if (inTls) {
    talk.write(head);
    await talk.startTls();
  }
  const method = isSupported(greeting.method) ? greeting.method : NATIVE;
  const claim = { method, password, nonce: greeting.nonce };
  const proof = authResponse(claim);
  const names = database === undefined ? [method] : [database, method];
  const parts = [zeroEnded(username), Buffer.from([proof.length]), proof, ...names.map(zeroEnded)];
  talk.write(Buffer.concat([head, ...parts]));
  const answer = await talk.read();
  return answer[0] === END
    ? proveOtherwise(talk, answer, { password, inTls })
    : finish(talk, answer, { ...claim, inTls });
}

/** In the way that the server wants of this user. */
async function proveOtherwise(
  talk: MysqlConnection,
  request: Buffer,
  { password, inTls }: Pick<Login, "password" | "inTls">,
): Promise<Refusal | undefined> {
  const reader = readerOf(request.subarray(1));
  // A server that names none means that of before MySQL 4.1.
  const method = reader.textToZero() || "mysql_old_password";
  const claim = { method, password, nonce: reader.rest().subarray(0, NONCE_BYTES) };
  talk.write(authResponse(claim));
  const answer = await talk.read();
  if (isSupported(method)) return finish(talk, answer, { ...claim, inTls });
  if (answer[0] === OK) return undefined;
  // Of a password that was not proved the server's error says less.
  return (password === "" ? errorIn(answer) : undefined) ?? { unknownMethod: method };
}

async function finish(
  talk: MysqlConnection,
  answer: Buffer,
  claim: AuthCredentials & Pick<Login, "inTls">,
): Promise<MysqlError | undefined> {
  const isHalfWay = answer[0] === MORE && claim.method === CACHING_SHA2;
  const last = isHalfWay ? await finishSha2(talk, answer, claim) : answer;
  const error = errorIn(last);
  if (error === undefined && last[0] !== OK) throw new ProtocolError("not an answer to the login");
  return error;
}

/** The server remembers who has been let in lately; from others it wants the password itself, in TLS or encrypted with its key. */
async function finishSha2(
  talk: MysqlConnection,
  [, state]: Buffer,
  { password, nonce, inTls }: AuthCredentials & Pick<Login, "inTls">,
): Promise<Buffer> {
  if (state === CACHED) return talk.read();
  if (state !== NOT_CACHED) throw new ProtocolError("not an answer to the login");
  const secret = zeroEnded(password);
  if (inTls) talk.write(secret);
  else {
    talk.write(KEY_REQUEST);
    const answer = await talk.read();
    if (answer[0] !== MORE) return answer;
    talk.write(encryptPassword(secret, { nonce, key: answer.subarray(1) }));
  }
  return talk.read();
}

function zeroEnded(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
