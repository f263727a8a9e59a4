import { z } from "zod";

import { logLevels } from "../kit/log.ts";
import { httpUrlSetting, secretSetting } from "./setting-schemas.ts";

/** Settings for logs and traces. */
export const logSettings = {
  WATCHPOST_LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` })
    .optional()
    .meta({
      fallback: "`info`, and `warn` on a terminal",
      meaning:
        "From which level on events are [logged](#logs): `info` has a line for each request to the API, `warn` what somebody should see to, `error` what should not happen",
    }),
  WATCHPOST_OTLP_URL: httpUrlSetting.optional().meta({
    fallback: "none",
    meaning:
      "Where [traces](#traces) are sent by OTLP over HTTP, such as `http://127.0.0.1:4318`; `/v1/traces` is added. Without it nothing is traced",
  }),
  WATCHPOST_OTLP_HEADERS: secretSetting.optional().meta({
    fallback: "none",
    meaning: "Headers for it, as `name=value,name=value`",
  }),
  WATCHPOST_OTLP_SAMPLE_RATIO: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, {
      error: "must be a number from 0 to 1, such as 0.1",
    })
    .default("1")
    .transform(Number)
    .meta({
      fallback: "`1`",
      meaning: "Of how many traces one is sent, from `0` to `1`: `0.01` is one in a hundred",
    }),
};
