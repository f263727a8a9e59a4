/** What the ping program found out. */
export type PingFinding =
  | { readonly ms: number }
  | { readonly unreachable: true }
  | { readonly trouble: string };

const REPLY = /^\d+ bytes from .* time=(\d+(?:\.\d+)?) ms$/;
/** What routers say, but for those that only tell of a better way. */
const COMPLAINT = /^From \S+ icmp_seq=\d+ (?!Redirect|Source Quench)/;
const NO_ROUTE =
  /^ping: (?:connect|sendmsg|sendto): (?:Network (?:is )?unreachable|No route to host|Host is unreachable)$/;
const NOT_SENT = /^ping: (?:sendmsg|sendto): /;

/** Undefined where the line decides nothing. */
export function readPingLine(line: string): PingFinding | undefined {
  const ms = REPLY.exec(line)?.[1];
  if (ms !== undefined) return { ms: Number(ms) };
  if (COMPLAINT.test(line) || NO_ROUTE.test(line)) return { unreachable: true };
  return NOT_SENT.test(line) ? { trouble: line } : undefined;
}
