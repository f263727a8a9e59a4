import { z } from "zod";

import { defineCheckType } from "./check-type.ts";
import { optional } from "./kit/parameter.ts";
import { host } from "./kit/parameters.ts";
import { unbuilt } from "./kit/unbuilt.ts";

const LONGEST_LIST = 10_000;

const ignore = optional(
  {
    description: "Block lists to leave out, divided by commas",
    forms: { type: ["string", "array"], maxLength: LONGEST_LIST, items: { type: "string" } },
    expected: `must be names divided by commas, of at most ${LONGEST_LIST} characters`,
    parse(value): readonly string[] | undefined {
      const list = Array.isArray(value) ? value.join(",") : value;
      if (typeof list !== "string" || list.length > LONGEST_LIST) return undefined;
      return list
        .split(",")
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== "");
    },
  },
  [],
);

export const rblCheck = defineCheckType({
  type: "RBL",
  summary: "Looks an address up in block lists, and passes when it is in none of them",
  target: "host",
  schema: z.object({ target: host, ignore }),
  run: unbuilt("RBL"),
});
