import ipaddr from "ipaddr.js";

import { ProtocolError } from "../../kit/protocol-error.ts";
import { readName } from "./name.ts";

/** The record data at the end of the message, in the format of a zone file. */
export function recordData(type: string, message: Buffer, start: number): string {
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
export function sliceOf(bytes: Buffer, start: number, end: number): Buffer {
  if (end > bytes.length) throw new RangeError("beyond the end of the message");
  return bytes.subarray(start, end);
}
