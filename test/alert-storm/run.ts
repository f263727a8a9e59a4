import { parseArgs } from "node:util";

import {
  diagnosticsShown,
  followingMails,
  firstMessagesOf,
  measureStorm,
  stormTable,
} from "./measure.ts";
import { alertStorm } from "./storm.ts";

const { values } = parseArgs({
  options: {
    checks: { type: "boolean", default: false },
    diagnostics: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const usage = `npm run alert-storm -- [options]: 60 checks of one host and 60 of others go down, and up again: what each kind of address gets.
  --diagnostics 5   with diagnostics of every outage, which take so many seconds
  --checks          also when each check was named first, a line for each
`;

if (values.help) process.stdout.write(usage);
else {
  const { diagnostics } = values;
  const record = await alertStorm(
    diagnostics === undefined ? {} : { diagnosticsMs: Number(diagnostics) * 1000 },
  );
  process.stdout.write(`${stormTable(measureStorm(record))}\n`);
  if (diagnostics !== undefined) {
    const following = followingMails(record);
    const { inAlerts, after } = diagnosticsShown(record);
    process.stdout.write(
      `\ndiagnostics of ${inAlerts} checks in the mails above, of ${after} in ${following.length} mails after them\n`,
    );
  }
  if (values.checks)
    for (const receiver of record.receivers)
      for (const { alert, afterMs, mention } of firstMessagesOf(record, receiver, "down"))
        process.stdout.write(
          `${receiver.name}\t${alert.check.record.label}\t${mention}\t${afterMs} ms\n`,
        );
}
