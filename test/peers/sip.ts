/** RFC 3261, 8.2.6.2: an answer repeats these of what it answers, and names who was asked. */
const REPEATED = new Set(["Via", "From", "To", "Call-ID", "CSeq"]);

interface Answer {
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** Response of a SIP server; the status with its reason, as in `200 OK`. */
export function sipAnswer(
  request: Buffer | string,
  status: string,
  { headers = [], body = "" }: Answer = {},
): string {
  const repeated = String(request)
    .split("\r\n")
    .filter((line) => REPEATED.has(line.split(":", 1)[0] ?? ""));
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return [`SIP/2.0 ${status}`, ...headers, ...repeated, length, "", body].join("\r\n");
}
