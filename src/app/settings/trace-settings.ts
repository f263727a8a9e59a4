import { z } from "zod";

import { httpUrlSetting, secretSetting } from "./setting-schemas.ts";

/** Where traces go. */
export const traceSettings = {
  WATCHPOST_OTLP_URL: httpUrlSetting.optional().meta({
    fallback: "none",
    meaning:
      "Where [traces](#traces) are sent by OTLP over HTTP, such as `http://127.0.0.1:4318`; `/v1/traces` is added. Without it nothing is traced",
  }),
  WATCHPOST_OTLP_HEADERS: secretSetting.optional().meta({
    fallback: "none",
    meaning: "Headers for it, as `name=value,name=value`",
  }),
  WATCHPOST_OTLP_SHARE: z
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
