import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

import ipaddr from "ipaddr.js";

import { ASKED, attendTcp, replyTo, uint16 } from "../../test/peers/name-server.ts";
import { listen } from "../../test/peers/tcp.ts";

/** Data of a name. */
export interface NameRecord {
  readonly addresses: readonly string[];
  /** How it is answered instead; unless it is known, the name does not exist. */
  readonly instead?: "servfail" | "silence";
}

export interface NameServer extends AsyncDisposable {
  /** Undefined deletes the name. */
  readonly set: (name: string, record: NameRecord | undefined) => void;
  readonly get: (name: string) => NameRecord | undefined;
  /** Answers every query so from now on; undefined is by what is known. */
  readonly answerAll: (instead: NameRecord["instead"]) => void;
}

const TTL_SECONDS = 1;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const [OK, SERVFAIL, NXDOMAIN] = [0x8580, 0x8182, 0x8583];

/** A name server at one address of this machine, over UDP and TCP. */
export async function nameServer(host: string): Promise<NameServer> {
  const records = new Map<string, NameRecord>();
  let all: NameRecord["instead"];
  const answer = (query: Buffer): readonly Buffer[] => {
    if (query.length < 17) return [];
    const { name, type } = questionOf(query);
    const record = records.get(name.toLowerCase());
    const instead = all ?? record?.instead;
    if (instead === "silence") return [];
    if (instead === "servfail") return [replyTo(query, { flags: SERVFAIL })];
    if (record === undefined) return [replyTo(query, { flags: NXDOMAIN })];
    const found = record.addresses
      .map((address) => Buffer.from(ipaddr.parse(address).toByteArray()))
      .filter(({ length }) => length === (type === TYPE_A ? 4 : 16))
      .filter(() => type === TYPE_A || type === TYPE_AAAA);
    const answers = found.map((data) =>
      Buffer.concat([ASKED, uint16(type, 1, 0, TTL_SECONDS, data.length), data]),
    );
    return [replyTo(query, { flags: OK, answer: answers })];
  };
  const tcp = await listen(
    createServer((socket) => attendTcp(socket, answer)),
    host,
    53,
  );
  const udp = createSocket("udp4");
  udp.on("message", (query, { port, address }) => {
    for (const packet of answer(query)) udp.send(packet, port, address);
  });
  // The client may be gone.
  udp.on("error", () => {});
  udp.bind(53, host);
  await once(udp, "listening");
  return {
    set(name, record) {
      if (record === undefined) records.delete(name);
      else records.set(name, record);
    },
    get: (name) => records.get(name),
    answerAll(instead) {
      all = instead;
    },
    async [Symbol.asyncDispose]() {
      udp.close();
      await tcp[Symbol.asyncDispose]();
    },
  };
}

function questionOf(query: Buffer): { readonly name: string; readonly type: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: at + 3 <= query.length ? query.readUInt16BE(at + 1) : 0 };
}
