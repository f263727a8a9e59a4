import { z } from "zod";

import { defineCheckType } from "./check-type.ts";
import { fields } from "./kit/fields.ts";
import { line, text } from "./kit/parameter.ts";
import { host, ipv6, password, portOr, secure, username } from "./kit/parameters.ts";
import { unbuilt } from "./kit/unbuilt.ts";

const LONGEST_QUERY = 10_000;

export const mysqlCheck = defineCheckType({
  type: "MYSQL",
  summary:
    "Connects to a MySQL or MariaDB server, and passes when it answers, and the query where one is given",
  target: "host",
  schema: z.object({
    target: host,
    port: portOr(3306),
    secure: secure([]),
    username,
    password,
    database: line("The database to use"),
    query: text("What to ask once logged in", LONGEST_QUERY),
    fields,
    ipv6,
  }),
  run: unbuilt("MYSQL"),
});
