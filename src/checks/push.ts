import { z } from "zod";

import { evaluateMetrics, tooManyLookups } from "../domain/run/metric.ts";
import { passed } from "../domain/run/outcome.ts";
import { InvalidInput } from "../kit/errors.ts";
import { definePushType } from "./check-type.ts";
import { fields } from "./parameters/metric-fields.ts";
import { secret } from "./parameters/secrets.ts";
import { flag, text } from "../schema/parameter.ts";

const LONGEST_TOKEN = 100;

export const pushCheck = definePushType({
  type: "PUSH",
  summary:
    "Waits for heartbeats of your system, and passes if their metrics are within their ranges",
  target: "none",
  example: { fields: { size: { name: "backup.gigabytes", min: 1 } }, oldresultfail: true },
  schema: z.object({
    fields,
    oldresultfail: flag("Fails if no heartbeat comes for longer than the interval times `sens`"),
    checktoken: secret(text("The token of the sender; `reset` makes a new one", LONGEST_TOKEN)),
  }),
  assigned: ["checktoken"],
  judge({ fields = [] }, data) {
    if (fields.length === 0) return passed("Success", "Heartbeat received");
    const outcome = evaluateMetrics(data, fields);
    if (outcome === undefined) throw new InvalidInput(`data: ${tooManyLookups}`);
    return outcome;
  },
  failsWhenOld: ({ oldresultfail }) => oldresultfail,
});
