/** The result of the ping program. */
export type PingFinding =
  | { readonly ms: number }
  | { readonly unreachable: true }
  | { readonly trouble: string };

const REPLY = /^\d+ bytes from .* time=(\d+(?:\.\d+)?) ms$/;
/** ICMP errors reported by routers, except redirects and source quench. */
const COMPLAINT = /^From \S+ icmp_seq=\d+ (?!Redirect|Source Quench)/;
const NO_ROUTE =
  /^ping: (?:connect|sendmsg|sendto): (?:Network (?:is )?unreachable|No route to host|Host is unreachable)$/;
const NOT_SENT = /^ping: (?:sendmsg|sendto): /;

/** Undefined if the line does not decide the result. */
export function readPingLine(line: string): PingFinding | undefined {
  const ms = REPLY.exec(line)?.[1];
  if (ms !== undefined) return { ms: Number(ms) };
  if (COMPLAINT.test(line) || NO_ROUTE.test(line)) return { unreachable: true };
  return NOT_SENT.test(line) ? { trouble: line } : undefined;
}
