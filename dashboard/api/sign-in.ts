import createClient from "openapi-fetch";

import type { paths } from "./schema.ts";

/** The public API as a visitor uses it: a refusal is the answer, also where nobody is signed in. */
export const visitorApi = createClient<paths>({ baseUrl: "/api/1" });
