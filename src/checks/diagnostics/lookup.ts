import { isIP } from "node:net";

import type { RunContext } from "../check-type.ts";
import { codeOf } from "../../kit/errors.ts";
import { discloseSystemDns, type DisclosedResponse } from "../dns/disclosure.ts";
import type { RecordType } from "../dns/record-types.ts";
import { reverseName } from "../dns/name.ts";
import { failureOf } from "../outcome/failure.ts";

/** Looks up the records of a name, or the name of an address, or the type that was asked for, at this location's name server. */
export async function lookUp(
  { host, recordType }: { readonly host: string; readonly recordType: RecordType | undefined },
  context: RunContext,
): Promise<string> {
  const isName = isIP(host) === 0;
  const name = isName ? host : reverseName(host);
  const usual = isName ? (["A", "AAAA", "NS"] as const) : (["PTR"] as const);
  const types = recordType === undefined ? usual : [recordType];
  const answers = await Promise.allSettled(
    types.map((type) =>
      discloseSystemDns(
        { transport: "udp", question: { name, type, recursive: true, extended: false } },
        context,
      ),
    ),
  );
  const refused = answers.find(
    (answer) => answer.status === "rejected" && codeOf(answer.reason) === "blocked",
  );
  // The other records of a name would disclose its refused address.
  if (refused?.status === "rejected") throw refused.reason;
  return answers
    .map((answer, index) =>
      answer.status === "rejected"
        ? `${types[index]}: ${failureOf(answer.reason).message}`
        : recordsText(`${types[index]}`, answer.value),
    )
    .join("\n");
}

function recordsText(type: string, { message, address, phases }: DisclosedResponse): string {
  const server = address ?? "the name server of this location";
  const records = message.answer.map((record) =>
    ["", record.name, record.ttl, record.type, record.data].join(" "),
  );
  const head = `${type}: ${message.code} from ${server} in ${Math.round(phases.total)} ms`;
  return [head, ...records.map((record) => ` ${record}`)].join("\n");
}
