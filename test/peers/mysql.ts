import { createHash, generateKeyPairSync, privateDecrypt } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

import type { Certificate } from "./certificates.ts";
import type { SocketHandler } from "./tcp.ts";

/** Messages of a server: its greeting, then the packets that answer each received one. */
export type Script = Generator<readonly Buffer[], void, Buffer>;

interface MysqlManner {
  /** A new script for each connection. */
  readonly script: () => Script;
  /** For clients that ask for TLS. */
  readonly certificate?: Certificate;
  /** Every packet that comes is added to these. */
  readonly received?: Buffer[];
}

/** Frames the script's messages, and switches to TLS at the client's request. */
export function mysqlServer({ script, certificate, received }: MysqlManner): SocketHandler {
  return (socket) => {
    const saying = script();
    const say = (to: Socket, payloads: readonly Buffer[] = [], sequence = 0): void => {
      for (const [index, payload] of payloads.entries())
        to.write(framed(payload, sequence + index));
    };
    const attend = (from: Socket, mayTurnToTls: boolean): void => {
      let bytes = Buffer.alloc(0);
      const take = (chunk: Buffer): void => {
        bytes = Buffer.concat([bytes, chunk]);
        while (bytes.length >= 4 && bytes.length >= lengthOf(bytes)) {
          const [payload, sequence] = [bytes.subarray(4, lengthOf(bytes)), bytes.readUInt8(3)];
          bytes = bytes.subarray(lengthOf(bytes));
          received?.push(payload);
          if (mayTurnToTls && payload.length === TLS_REQUEST_BYTES) {
            from.off("data", take);
            // A client does not wait: its handshake may have come along.
            from.pause();
            from.unshift(bytes);
            const secured = new TLSSocket(from, { isServer: true, ...certificate });
            secured.on("error", () => {});
            attend(secured, false);
            return;
          }
          say(from, saying.next(payload).value ?? [], sequence + 1);
        }
      };
      from.on("data", take);
    };
    attend(socket, certificate !== undefined);
    say(socket, saying.next().value ?? []);
  };
}

const TLS_REQUEST_BYTES = 32;

/** Returns the length of the first packet, including its header. */
function lengthOf(bytes: Buffer): number {
  return 4 + bytes.readUIntLE(0, 3);
}

export function framed(payload: Buffer, sequence: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(payload.length, 0, 3);
  head[3] = sequence % 256;
  return Buffer.concat([head, payload]);
}

/** Says each of these once. */
export function* saying(...answers: readonly (readonly Buffer[])[]): Script {
  for (const answer of answers) yield answer;
}

export const NONCE: Buffer = Buffer.from("a nonce of 20 bytes.");

interface GreetingParts {
  readonly protocol?: number;
  readonly version?: string;
  readonly method?: string;
  readonly offersTls?: boolean;
}

export function greeting({
  protocol = 10,
  version = "8.4.3",
  method = "mysql_native_password",
  offersTls = true,
}: GreetingParts = {}): Buffer {
  return Buffer.concat([
    Buffer.from([protocol]),
    Buffer.from(`${version}\0`),
    Buffer.from([1, 0, 0, 0]),
    NONCE.subarray(0, 8),
    // The flags: their lower half, a character set and a status, and their upper half.
    Buffer.from([0, 0xff, offersTls ? 0xff : 0xf7, 45, 2, 0, 0xff, 0xdf]),
    Buffer.from([NONCE.length + 1]),
    Buffer.alloc(10),
    NONCE.subarray(8),
    Buffer.from(`\0${method}\0`),
  ]);
}

export const ok = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
export const end = Buffer.from([0xfe, 0, 0, 2, 0]);

export function error(code: number, text: string, state = "#HY000"): Buffer {
  return Buffer.concat([Buffer.from([0xff, code & 255, code >> 8]), Buffer.from(state + text)]);
}

export function switchTo(method: string, nonce = NONCE): Buffer {
  return Buffer.concat([Buffer.from(`\xfe${method}\0`, "latin1"), nonce, Buffer.alloc(1)]);
}

export function more(...bytes: readonly number[]): Buffer {
  return Buffer.from([1, ...bytes]);
}

/** A length-encoded text; undefined is NULL. */
export function counted(text: string | undefined): Buffer {
  if (text === undefined) return Buffer.from([0xfb]);
  const bytes = Buffer.from(text);
  return Buffer.concat([countOf(bytes.length), bytes]);
}

export function countOf(length: number): Buffer {
  if (length < 0xfb) return Buffer.from([length]);
  if (length < 2 ** 16) return Buffer.from([0xfc, length & 255, length >> 8]);
  const head = Buffer.from([0xfd, 0, 0, 0]);
  head.writeUIntLE(length, 1, 3);
  return head;
}

export function column(name: string): Buffer {
  const before = ["def", "schema", "table", "original table"].map(counted);
  return Buffer.concat([...before, counted(name), counted("original name"), Buffer.alloc(13)]);
}

export function rowOf(...values: readonly (string | undefined)[]): Buffer {
  return Buffer.concat(values.map(counted));
}

/** All packets of a result. */
export function result(names: readonly string[], ...rows: readonly Buffer[]): readonly Buffer[] {
  return [countOf(names.length), ...names.map(column), end, ...rows, end];
}

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer =>
  createHash("sha256")
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
const xor = (one: Buffer, other: Buffer): Buffer =>
  Buffer.from(one.map((byte, index) => byte ^ Number(other[index % other.length])));

const rsa = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** Lets in who knows the password, as MySQL documents it for caching_sha2_password; at once where it remembers who has been in before. */
export function* sha2Server(password: string, remembers: boolean): Script {
  const response = yield [greeting({ method: "caching_sha2_password" })];
  const lengthAt = response.indexOf(0, TLS_REQUEST_BYTES) + 1;
  const proof = response.subarray(lengthAt + 1, lengthAt + 1 + Number(response[lengthAt]));
  const kept = sha256(sha256(password));
  if (remembers && sha256(xor(proof, sha256(kept, NONCE))).equals(kept)) {
    yield [more(3), ok];
    return;
  }
  const answer = yield [more(4)];
  const wantsKey = answer.equals(Buffer.from([2]));
  const sealed = wantsKey ? yield [more(...Buffer.from(rsa.publicKey))] : undefined;
  const secret = sealed === undefined ? answer : xor(privateDecrypt(rsa.privateKey, sealed), NONCE);
  yield [secret.equals(Buffer.from(`${password}\0`)) ? ok : error(1045, "Access denied")];
}
