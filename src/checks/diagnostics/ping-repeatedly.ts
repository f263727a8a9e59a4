import type { RunContext } from "../check-type.ts";
import { pingCheck } from "../icmp/ping.ts";

/** As many as distinguish a lost reply from a host that is away, within a few seconds. */
const REQUESTS = 4;

/** Sends a few echo requests one after the other, and says in a line for each what came. */
export async function pingRepeatedly(
  parameters: { readonly target: string; readonly ipv6: boolean },
  context: RunContext,
): Promise<string> {
  const { run } = pingCheck.prepare(parameters);
  const lines: string[] = [];
  for (let request = 1; request <= REQUESTS && !context.signal.aborted; request += 1) {
    const { passed, text, message } = await run(context);
    lines.push(
      passed ? `${request}: reply from ${message} in ${text} ms` : `${request}: ${message}`,
    );
  }
  return lines.join("\n");
}
