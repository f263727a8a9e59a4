import ipaddr from "ipaddr.js";

import { ProtocolError } from "../../kit/protocol-error.ts";
import { encodeName, readName, sameName } from "./name.ts";

const TYPES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  OPT: 41,
  ANY: 255,
} as const;

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(TYPES).map(([name, number]) => [number, name]),
);

const CODES = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"];

export interface DnsQuestion {
  readonly name: string;
  readonly type: Exclude<keyof typeof TYPES, "OPT">;
  /** Whether the server should resolve the name recursively. */
  readonly recursive: boolean;
  /** Requests EDNS (RFC 6891); the response then has an OPT record in its additional section. */
  readonly extended: boolean;
}

export interface DnsRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  /** In the format of a zone file; the parts of a TXT record are joined. */
  readonly data: string;
}

export interface DnsMessage {
  /** Such as `NOERROR`. */
  readonly code: string;
  readonly truncated: boolean;
  readonly question: Pick<DnsRecord, "name" | "type"> | undefined;
  readonly answer: readonly DnsRecord[];
  readonly authority: readonly DnsRecord[];
  readonly additional: readonly DnsRecord[];
}

const HEAD_BYTES = 12;
const IN = 1;
const IS_ANSWER = 0x8000;
const IS_TRUNCATED = 0x0200;
const WANTS_RECURSION = 0x0100;
const MAX_ALIASES = 16;
/** Maximum characters of all names and data: 5,000 ordinary records. Expanding compressed names of 127 parts to this size takes 10 ms. */
const MAX_CHARACTERS = 524_288;
/** RFC 6891, 6.1.2: a payload of 1232 bytes, which passes every network, and the option that requests the name server id (RFC 5001). */
const OPTIONS = Buffer.from([0, 0, TYPES.OPT, 4, 0xd0, 0, 0, 0, 0, 0, 4, 0, 3, 0, 0]);

export function encodeQuery(id: number, { name, type, recursive, extended }: DnsQuestion): Buffer {
  const encoded = encodeName(name);
  const end = HEAD_BYTES + encoded.length;
  const query = Buffer.alloc(end + 4 + (extended ? OPTIONS.length : 0));
  query.writeUInt16BE(id, 0);
  query.writeUInt16BE(recursive ? WANTS_RECURSION : 0, 2);
  query.writeUInt16BE(1, 4);
  query.writeUInt16BE(extended ? 1 : 0, 10);
  query.set(encoded, HEAD_BYTES);
  query.writeUInt16BE(TYPES[type], end);
  query.writeUInt16BE(IN, end + 2);
  if (extended) query.set(OPTIONS, end + 4);
  return query;
}

/** The response to a query; undefined if the packet does not belong to it. Throws ProtocolError. */
export function parseResponse(query: Buffer, packet: Buffer): DnsMessage | undefined {
  if (packet.length < HEAD_BYTES || packet.readUInt16BE(0) !== query.readUInt16BE(0))
    return undefined;
  if ((packet.readUInt16BE(2) & IS_ANSWER) === 0) return undefined;
  const asked = decodeMessage(query).question;
  const message = decodeMessage(packet);
  // A server that did not understand the question may omit it.
  const { question, code } = message;
  if (question === undefined || asked === undefined)
    return code === "NOERROR" ? undefined : message;
  return question.type === asked.type && sameName(question.name, asked.name) ? message : undefined;
}

/** The requested records of the name, or of the name that its CNAME records lead to. */
export function recordsFor(
  { answer }: Pick<DnsMessage, "answer">,
  { name, type }: Pick<DnsQuestion, "name" | "type">,
): readonly DnsRecord[] {
  let wanted = name;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases += 1) {
    const own = answer.filter((record) => sameName(record.name, wanted));
    const found = own.filter((record) => type === "ANY" || record.type === type);
    const alias = own.find((record) => record.type === "CNAME");
    if (found.length > 0 || alias === undefined) return found;
    wanted = alias.data;
  }
  return [];
}

export function decodeMessage(bytes: Buffer): DnsMessage {
  try {
    return decode(bytes);
  } catch (error) {
    // Buffer throws RangeError when reading beyond its end.
    if (error instanceof RangeError)
      throw new ProtocolError("a DNS message that is cut off", { cause: error });
    throw error;
  }
}

function decode(bytes: Buffer): DnsMessage {
  const flags = bytes.readUInt16BE(2);
  const questions = bytes.readUInt16BE(4);
  if (questions > 1) throw new ProtocolError("a DNS message with more than one question");
  const truncated = (flags & IS_TRUNCATED) !== 0;
  let at = HEAD_BYTES;
  const readQuestion = (): DnsMessage["question"] => {
    const { name, end } = readName(bytes, at);
    at = end + 4;
    return { name, type: typeName(bytes.readUInt16BE(end)) };
  };
  let characters = 0;
  const readSection = (count: number): readonly DnsRecord[] => {
    const records: DnsRecord[] = [];
    while (records.length < count) {
      const { name, end } = readName(bytes, at);
      const type = typeName(bytes.readUInt16BE(end));
      const start = end + 10;
      at = start + bytes.readUInt16BE(end + 8);
      const data = recordData(type, sliceOf(bytes, 0, at), start);
      characters += name.length + data.length;
      if (characters > MAX_CHARACTERS)
        throw new ProtocolError(`a DNS message of more than ${MAX_CHARACTERS} characters`);
      records.push({ name, type, ttl: bytes.readUInt32BE(end + 4), data });
    }
    return records;
  };
  const counts = truncated ? [] : [6, 8, 10].map((countAt) => bytes.readUInt16BE(countAt));
  const question = questions === 0 ? undefined : readQuestion();
  // RFC 2181, 9: a truncated message may end anywhere, so its records are ignored.
  const [answer = [], authority = [], additional = []] = counts.map(readSection);
  const code = flags & 15;
  return {
    code: CODES[code] ?? `RCODE${code}`,
    truncated,
    question,
    answer,
    authority,
    additional,
  };
}

function typeName(number: number): string {
  return TYPE_NAMES.get(number) ?? `TYPE${number}`;
}

/** The record data at the end of the message, in the format of a zone file. */
function recordData(type: string, message: Buffer, start: number): string {
  const data = message.subarray(start);
  const short = (at: number): number => data.readUInt16BE(at);
  const nameAt = (at: number): string => readName(message, start + at).name;
  switch (type) {
    case "A":
    case "AAAA":
      return addressOf(type, data);
    case "CNAME":
    case "NS":
    case "PTR":
      return nameAt(0);
    case "MX":
      return `${short(0)} ${nameAt(2)}`;
    case "SRV":
      return `${short(0)} ${short(2)} ${short(4)} ${nameAt(6)}`;
    case "SOA":
      return authorityOf(message, start);
    case "TXT":
      return textOf(data);
    case "OPT":
      return optionsOf(data);
    default:
      // RFC 3597, 5.
      return String.raw`\# ${data.length} ${data.toString("hex")}`;
  }
}

function addressOf(type: "A" | "AAAA", data: Buffer): string {
  if (data.length !== (type === "A" ? 4 : 16))
    throw new ProtocolError(`an address of ${data.length} bytes`);
  return type === "A" ? data.join(".") : ipaddr.fromByteArray([...data]).toString();
}

function authorityOf(message: Buffer, start: number): string {
  const server = readName(message, start);
  const contact = readName(message, server.end);
  const numbers = [0, 4, 8, 12, 16].map((at) => message.readUInt32BE(contact.end + at));
  return [server.name, contact.name, ...numbers].join(" ");
}

function textOf(data: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length;) {
    const end = at + 1 + data.readUInt8(at);
    parts.push(sliceOf(data, at + 1, end));
    at = end;
  }
  return Buffer.concat(parts).toString();
}

/** RFC 6891, 6.1.2: each as `code:text`. */
function optionsOf(data: Buffer): string {
  const options: string[] = [];
  for (let at = 0; at < data.length;) {
    const end = at + 4 + data.readUInt16BE(at + 2);
    options.push(`${data.readUInt16BE(at)}:${sliceOf(data, at + 4, end).toString()}`);
    at = end;
  }
  return options.join(" ");
}

/** Like the readers of Buffer, and unlike its `subarray`, it throws RangeError beyond the end. */
function sliceOf(bytes: Buffer, start: number, end: number): Buffer {
  if (end > bytes.length) throw new RangeError("beyond the end of the message");
  return bytes.subarray(start, end);
}
