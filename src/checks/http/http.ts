import { z } from "zod";

import { defineCheckType } from "../check-type.ts";
import { follow, httpUrl, ipv6, verify, warningDays } from "../parameters/parameters.ts";
import { statusFailure, succeeded, fetchTarget } from "./fetch-target.ts";

export const httpCheck = defineCheckType({
  type: "HTTP",
  title: { en: "Web page", de: "Webseite" },
  group: "web",
  summary: {
    en: "Requests a URL, and passes if the status of the response is 200 to 399",
    de: "Ruft eine URL ab, und besteht, wenn der Status der Antwort 200 bis 399 ist",
  },
  target: "url",
  recognition: {
    schemes: ["https", "http"],
    ports: {
      80: { scheme: "http" },
      443: { scheme: "https" },
      8080: { scheme: "http" },
      8443: { scheme: "https" },
    },
  },
  example: {
    target: "https://example.com/",
    follow: true,
    ipv6: false,
    verify: true,
    warningdays: 14,
  },
  schema: z.object({ target: httpUrl, follow, ipv6, verify, warningdays: warningDays }),
  run: ({ verify, warningdays, ...address }, context) =>
    fetchTarget(
      { ...address, certificate: { verify, warningdays }, readBody: false },
      context,
      (answer) => statusFailure(answer) ?? succeeded(answer),
    ),
});
