import { retryAfterMs } from "../../src/channels/webhook/http-failure.ts";
import { audioFormat } from "../../src/checks/audio/format.ts";
import { firstEntry } from "../../src/checks/audio/audio.ts";
import { decodeMessage, recordsFor } from "../../src/checks/dns/message.ts";
import { dataPortIn } from "../../src/checks/ftp.ts";
import { createRunCookies } from "../../src/checks/http/run-cookies.ts";
import { readPingLine } from "../../src/checks/icmp/ping-program.ts";
import { errorIn, readerOf } from "../../src/checks/mysql/packet.ts";
import { MAX_LINES } from "../../src/checks/net/line-connection.ts";
import { evidenceText } from "../../src/checks/outcome/evidence.ts";
import { redact } from "../../src/kit/redact.ts";
import { isStartLine, parseHead } from "../../src/checks/sip/message.ts";
import { identificationEnd } from "../../src/checks/ssh/identification.ts";
import { evaluateMetrics, metricsIn } from "../../src/domain/run/metric.ts";
import { decodeText, pageCharset } from "../../src/kit/http/body-text.ts";
import { namesOf, readCertificate } from "../../src/kit/net/peer-certificate.ts";
import { contains } from "../../src/kit/text-search.ts";
import type { Parser } from "./parsers.ts";

const BODY = 3 * 2 ** 20;
const LINES = 2 ** 20;
const LINE = 2 ** 14;
const PACKET = 65_535;
const HEAD = 2 ** 16;
/** Size of the start of a stream or a playlist. */
const BEGINNING = 2 ** 13;
/** Maximum size of a server's certificates, by OpenSSL's default. */
const CERTIFICATES = 100 * 2 ** 10;

const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");

/** A response to a question about `a`, with as many records as may follow; each is a name that points to the question's, and an alias of it. */
const dnsHead = "\0\x01\x81\x80\0\x01\x12\0\0\0\0\0\x01a\0\0\x05\0\x01";
const dnsRecord = "\xc0\x0c\0\x05\0\x01\0\0\0\0\0\x02\xc0\x0c";
/** A question about a name of 127 parts, to which the records point. */
const dnsLongHead = `\0\x01\x81\x80\0\x01\x10\0\0\0\0\0${"\x01a".repeat(126)}\0\0\x05\0\x01`;

const fields = Array.from({ length: 20 }, (_, no) => ({
  path: `${"a.".repeat(100)}${no}`,
  min: 0,
  max: 1,
}));
const certificate = {
  subject: { CN: "a" },
  issuer: { CN: "b" },
  valid_from: "Jan  5 00:00:00 2026 GMT",
  valid_to: "Jan  5 00:00:00 2027 GMT",
};

/** Whatever reads what a target sends. */
export const targetParsers: readonly Parser[] = [
  {
    name: "metrics of a response",
    types: ["HTTPADV", "HTTPPARSE"],
    longest: BODY,
    examples: ['{"a":{"a.a":[1]}}', '"a":{"a":1},', '{"a":', "load: 0.5\n", "a:1e5, ", '{"a":1},'],
    worst: [{ start: "[", piece: '{"a":{"a.a":1}},', end: "1]" }],
    parse(text) {
      const found = metricsIn(text);
      return typeof found === "string" ? found : evaluateMetrics(found, fields);
    },
  },
  {
    name: "a text that is searched",
    types: ["HTTPADV", "HTTPCONTENT", "SSH", "WEBSOCKET"],
    longest: BODY,
    examples: ["aaab"],
    parse: (text) => contains(text, "a".repeat(9999).concat("b")),
  },
  {
    name: "bytes of a text",
    types: ["HTTPADV", "HTTPCONTENT", "HTTPPARSE"],
    longest: BODY,
    examples: ["\xc3\xa9"],
    parse: (text) => decodeText(bytesOf(text)),
  },
  {
    name: "the charset of a page",
    types: ["HTTPADV", "HTTPCONTENT", "HTTPPARSE"],
    longest: BODY,
    examples: ['<meta a charset="b">', "<meta charset", '<?xml a encoding="b"?>'],
    parse: (text) => pageCharset(bytesOf(text), "text/html"),
  },
  {
    name: "a cookie",
    types: ["AUDIO", "HTTP", "HTTPADV", "HTTPCONTENT", "HTTPPARSE"],
    longest: HEAD,
    examples: ["a=b; Domain=.a.b; Path=/a; Max-Age=1; Secure", "a=b; Expires=Thu, 01 Jan 1970"],
    parse(text) {
      const url = new URL("http://a.b/a");
      const cookies = createRunCookies(() => 0);
      cookies.keep(url, [text, ...text.split(" ")]);
      return cookies.addTo(url, { Cookie: text });
    },
  },
  {
    name: "evidence",
    longest: BODY,
    examples: ["Set-Cookie: a\n b\n"],
    parse: (text) => evidenceText(bytesOf(text)),
  },
  {
    name: "evidence with credentials",
    longest: 4096,
    examples: ["%41&#65;\\u0041", "QUFBQQ==", "a+a%20"],
    parse: (text) =>
      redact(
        text,
        Array.from({ length: 100 }, (_, no) => `${"a".repeat(400)}${no}`),
      ),
  },
  {
    name: "a DNS message",
    types: ["DNS", "RBL"],
    longest: PACKET,
    examples: [dnsHead, dnsRecord, dnsLongHead, `${dnsHead}${dnsRecord}`],
    worst: [
      { start: dnsHead, piece: dnsRecord, end: "" },
      { start: dnsLongHead, piece: dnsRecord, end: "" },
    ],
    parse: (text) => recordsFor(decodeMessage(bytesOf(text)), { name: "a", type: "A" }),
  },
  {
    name: "SIP",
    types: ["SIP"],
    longest: LINES,
    examples: ["SIP/2.0 200 OK\nVia: a\n b\nCall-ID: c\nContent-Length: 0\n"],
    parse(text) {
      const lines = text.split("\n", MAX_LINES);
      return isStartLine(lines[0] ?? "") && parseHead(lines);
    },
  },
  {
    name: "an identification of SSH",
    types: ["SSH"],
    longest: LINE,
    examples: ["SSH-2.0-a b\r\n", "hello\nSSH-1.99-a\n"],
    parse: identificationEnd,
  },
  {
    name: "the data port of FTP",
    types: ["FTP"],
    longest: LINE,
    examples: ["Entering Passive Mode (1,2,3,4,5,6)", "(|||6446|)"],
    worst: [{ start: "", piece: "1", end: "" }],
    parse: (text) => [dataPortIn(text, false), dataPortIn(text, true)],
  },
  {
    name: "a line of ping",
    types: ["PING"],
    longest: LINES,
    examples: ["64 bytes from a: time=0.1 ms"],
    parse: readPingLine,
  },
  {
    name: "packets of MySQL",
    types: ["MYSQL"],
    longest: LINES,
    examples: ["\xff\x15\x04#28000Denied", "\x03abc\xfc\x01\0a"],
    parse(text) {
      const { text: next } = readerOf(bytesOf(text));
      return errorIn(bytesOf(text)) ?? Array.from({ length: 4096 }, next);
    },
  },
  {
    name: "the beginning of audio",
    types: ["AUDIO"],
    longest: BEGINNING,
    examples: [
      "\xff\xfb\x90\0\0\0",
      "\xff\xf1\x50\x80\x01\x1f",
      "ID3\0",
      "OggS",
      "RIFF\0\0\0\0WAVE",
    ],
    parse: (text) => audioFormat(bytesOf(text)),
  },
  {
    name: "a playlist",
    types: ["AUDIO"],
    longest: BEGINNING,
    examples: [
      "[playlist]\nFile1=http://a.example/\n",
      "#EXTM3U\nhttp://a.example/\n",
      "http://xspf.org/ns/<track><location> http://a.example/</location>",
      "<track>",
      "<location>",
    ],
    worst: [{ start: "http://xspf.org/ns/", piece: "<track>", end: "" }],
    parse: (text) => firstEntry(text, "audio/x-mpegurl"),
  },
  {
    name: "the names of a certificate",
    longest: CERTIFICATES,
    examples: ['DNS:a.example, IP Address:192.0.2.1, DNS:"b\\"c"', '\\"', "DNS:a, "],
    worst: [{ start: '"', piece: '\\"', end: "" }],
    parse: (text) => namesOf({ ...certificate, subjectaltname: text }),
  },
  {
    name: "the dates and the subject of a certificate",
    longest: CERTIFICATES,
    examples: ["Jan  5 00:00:00 2027 GMT"],
    parse: (text) => readCertificate({ ...certificate, subject: { CN: text }, valid_to: text }),
  },
  {
    name: "Retry-After",
    longest: 65_536,
    examples: ["120", "Mon, 05 Jan 2026 10:20:30 GMT"],
    parse: (text) => retryAfterMs(text, 0),
  },
];
