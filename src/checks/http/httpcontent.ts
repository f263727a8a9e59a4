import { z } from "zod";

import { defineCheckType } from "../check-type.ts";
import { content, hasPattern, noPattern } from "./content-parameters.ts";
import { follow, httpUrl, ipv6, verify, warningDays } from "../parameters/parameters.ts";
import { assertJudgeable, contentFailure } from "./response-rules.ts";
import { statusFailure, succeeded, fetchTarget } from "./fetch-target.ts";

export const httpContentCheck = defineCheckType({
  type: "HTTPCONTENT",
  title: { en: "Text on a web page", de: "Text auf einer Webseite" },
  group: "web",
  summary: {
    en: "Requests a URL, and passes if the status is 200 to 399 and the text is in the response",
    de: "Ruft eine URL ab, und besteht, wenn der Status 200 bis 399 ist und der Text in der Antwort steht",
  },
  target: "url",
  example: {
    target: "https://example.com/",
    contentstring: "Welcome",
    regex: false,
    invert: false,
    follow: true,
    ipv6: false,
    verify: true,
    warningdays: 14,
  },
  schema: z
    .object({ target: httpUrl, ...content, follow, ipv6, verify, warningdays: warningDays })
    .refine(hasPattern, noPattern),
  run({ target, follow, ipv6, verify, warningdays, ...rule }, context) {
    assertJudgeable(rule, context);
    return fetchTarget(
      {
        target,
        follow,
        ipv6,
        certificate: { verify, warningdays },
        readBody: rule.contentstring !== undefined,
      },
      context,
      async (answer) =>
        statusFailure(answer) ?? (await contentFailure(rule, answer, context)) ?? succeeded(answer),
    );
  },
});
