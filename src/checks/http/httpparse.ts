import { z } from "zod";

import { defineCheckType } from "../check-type.ts";
import { fields } from "../parameters/metric-fields.ts";
import { sendHeaders } from "./name-value-pairs.ts";
import { follow, httpUrl, ipv6, verify, warningDays } from "../parameters/parameters.ts";
import { judgeFields } from "./response-rules.ts";
import { statusFailure, fetchTarget } from "./fetch-target.ts";

export const httpParseCheck = defineCheckType({
  type: "HTTPPARSE",
  title: { en: "Numbers of a web service", de: "Zahlen eines Webdienstes" },
  group: "web",
  summary: {
    en: "Requests a URL, and passes if the numbers in the response are within their ranges",
    de: "Ruft eine URL ab, und besteht, wenn die Zahlen in der Antwort in ihren Bereichen liegen",
  },
  target: "url",
  example: {
    target: "https://example.com/load.json",
    fields: { load: { name: "load.1min", min: 0, max: 4.5 } },
    sendheaders: { Accept: "application/json" },
    follow: true,
    ipv6: false,
    verify: true,
    warningdays: 14,
  },
  schema: z.object({
    target: httpUrl,
    fields,
    sendheaders: sendHeaders,
    follow,
    ipv6,
    verify,
    warningdays: warningDays,
  }),
  run: ({ fields = [], sendheaders, verify, warningdays, ...address }, context) =>
    fetchTarget(
      {
        ...address,
        headers: sendheaders,
        certificate: { verify, warningdays },
        readBody: fields.length > 0,
      },
      context,
      (answer) => statusFailure(answer, "HTTP return status") ?? judgeFields(fields, answer),
    ),
});
