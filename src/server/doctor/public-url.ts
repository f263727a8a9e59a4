import { z } from "zod";

import { codeOf, messageOf } from "../../kit/errors.ts";
import type { Finding } from "./finding.ts";
import { remedyFor } from "./remedies.ts";

const ANSWER_MS = 5000;
const readiness = z.object({ ready: z.boolean(), reasons: z.array(z.string()) });
const ADVICE =
  "set WATCHPOST_URL as people reach it, or correct the proxy: links in alerts lead there";

/** Whether the address that alerts and invitations name leads to a Watchpost. */
export async function publicUrlFinding(url: string): Promise<Finding> {
  const name = "public URL";
  try {
    const response = await fetch(`${url}/readyz`, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const target = response.headers.get("location");
    if (target !== null)
      return { name, state: "amber", found: `${url} redirects to ${target}`, advice: ADVICE };
    const body: unknown = await response.json().catch(() => undefined);
    if (readiness.safeParse(body).success)
      return { name, state: "green", found: `${url} leads to a Watchpost` };
    const found = `${url} leads to something else: /readyz answers ${response.status}`;
    return { name, state: "red", found, advice: ADVICE };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const found = `${url}: ${codeOf(cause) ?? messageOf(cause)}`;
    return { name, state: "red", found, advice: remedyFor(cause, ADVICE) };
  }
}
