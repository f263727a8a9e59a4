import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIP } from "node:net";

const TYPES: Readonly<Record<number, string>> = { 1: "A", 28: "AAAA" };
const CODES = { failure: 2, unknown: 3, refused: 5 };

/** Addresses of one family, a refusal, or no answer at all. */
export type DnsAnswer = readonly string[] | keyof typeof CODES | "silence";

export interface DnsPeer extends AsyncDisposable {
  /** `address:port`. */
  readonly server: string;
  /** Questions so far, as `A name`. */
  readonly questions: readonly string[];
}

/** Where a DNS server listens; on 127.0.0.1 at a free port unless given. */
interface Listening {
  readonly host?: string;
  readonly port?: number;
}

/** How a name is answered: by a table, where other names do not exist, or by a function of the question and the client's address. */
export type DnsTable =
  | Readonly<Record<string, DnsAnswer>>
  | ((question: string, client: string) => DnsAnswer);

/** A DNS server that answers `A name` and `AAAA name` by a table, where other names do not exist, or by a function of the question and the client's address. */
export async function dnsPeer(
  table: DnsTable,
  { host = "127.0.0.1", port: ownPort = 0 }: Listening = {},
): Promise<DnsPeer> {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const question = `${type} ${name}`;
    questions.push(question);
    const answer =
      typeof table === "function" ? table(question, address) : answerIn(table, question);
    if (answer !== "silence") socket.send(reply(query.subarray(0, end), answer), port, address);
  });
  socket.bind(ownPort, host);
  await once(socket, "listening");
  return {
    server: `${host}:${socket.address().port}`,
    questions,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function answerIn(table: Readonly<Record<string, DnsAnswer>>, question: string): DnsAnswer {
  const name = question.slice(question.indexOf(" "));
  const exists = Object.keys(table).some((key) => key.endsWith(name));
  return table[question] ?? (exists ? [] : "unknown");
}

/** A resolver that keeps every answer, and answers the rest as `cut` says while its uplink is cut: also the questions whose answers expire then. */
export function cachingResolver(zone: Readonly<Record<string, DnsAnswer>>): {
  readonly answer: (question: string) => DnsAnswer;
  readonly cut: (rest: DnsAnswer, expired?: readonly string[]) => void;
  readonly mend: () => void;
} {
  const cache = new Map<string, DnsAnswer>();
  let rest: DnsAnswer | undefined;
  return {
    answer(question) {
      const answer = cache.get(question) ?? rest ?? answerIn(zone, question);
      if (rest === undefined) cache.set(question, answer);
      return answer;
    },
    cut(answer, expired = []) {
      rest = answer;
      for (const question of expired) cache.delete(question);
    },
    mend() {
      rest = undefined;
    },
  };
}

function questionOf(query: Buffer): {
  readonly name: string;
  readonly type: string;
  readonly end: number;
} {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join(".").toLowerCase(),
    type: TYPES[query.readUInt16BE(at + 1)] ?? "?",
    end: at + 5,
  };
}

/** RFC 1035, 4.1; every answer points back to the name of the question. */
function reply(question: Buffer, answer: readonly string[] | keyof typeof CODES): Buffer {
  const addresses = typeof answer === "string" ? [] : answer;
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (typeof answer === "string" ? CODES[answer] : 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...addresses.map(record)]);
}

function record(address: string): Buffer {
  const data =
    isIP(address) === 4 ? Buffer.from(address.split(".").map(Number)) : ipv6Bytes(address);
  const head = Buffer.from([
    0xc0,
    0x0c,
    0,
    data.length === 4 ? 1 : 28,
    0,
    1,
    0,
    0,
    0,
    60,
    0,
    data.length,
  ]);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [left = "", right = ""] = address.split("::");
  const groups = (part: string): readonly string[] => (part === "" ? [] : part.split(":"));
  const middle = Array.from({ length: 8 - groups(left).length - groups(right).length }, () => "0");
  const all = [...groups(left), ...middle, ...groups(right)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
