import { isIP } from "node:net";

import type { RunContext } from "../check-type.ts";
import { querySystemDns } from "../dns/client.ts";
import { reverseName } from "../dns/name.ts";
import { failureOf } from "../outcome/failure.ts";

/** Looks up the records of a name, or the name of an address, at this location's name server. */
export async function lookUp(host: string, context: RunContext): Promise<string> {
  const isName = isIP(host) === 0;
  const name = isName ? host : reverseName(host);
  const types = isName ? (["A", "AAAA", "NS"] as const) : (["PTR"] as const);
  const answers = await Promise.all(
    types.map((type) =>
      querySystemDns(
        { transport: "udp", question: { name, type, recursive: true, extended: false } },
        context,
      ).then(
        ({ message: { code, answer }, address, phases }) => {
          const records = answer.map((record) =>
            [record.name, record.ttl, record.type, record.data].join(" "),
          );
          const head = `${type}: ${code} from ${address} in ${Math.round(phases.total)} ms`;
          return [head, ...records.map((record) => `  ${record}`)].join("\n");
        },
        (error: unknown) => `${type}: ${failureOf(error).message}`,
      ),
    ),
  );
  return answers.join("\n");
}
