import { z } from "zod";

import {
  chartPeriods,
  outageModes,
  pageAccesses,
  pageLanguages,
  type StatusPage,
} from "../../../domain/status/status-page.ts";
import { warning } from "../responses.ts";

export const statusPageResponse = z
  .object({
    _id: z.string(),
    type: z.literal("statuspage"),
    customer_id: z.string(),
    name: z.string(),
    slug: z.string(),
    url: z.string().describe("Where it is shown"),
    domain: z.string().describe("Empty if it has none"),
    enabled: z.boolean(),
    access: z.enum(pageAccesses),
    haspassword: z.boolean(),
    language: z.enum(pageLanguages),
    timezone: z.string().describe("Empty for that of the account"),
    intro: z.string(),
    footer: z.string(),
    color: z.string(),
    logo: z.string(),
    charts: z.enum(["none", ...chartPeriods]),
    sections: z.array(
      z.object({
        name: z.string(),
        checks: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    ),
    subscribe: z.boolean().describe("Whether readers can subscribe on the page"),
    outageincidents: z.enum(outageModes),
    outagedelay: z.int().describe("Minutes"),
    created: z.int().describe("ms since 1970"),
    modified: z.int().describe("ms since 1970"),
    warning,
  })
  .meta({ id: "StatusPage" });

export function toWire(page: StatusPage, baseUrl: string): z.infer<typeof statusPageResponse> {
  return {
    _id: page.id,
    type: "statuspage",
    customer_id: page.accountId,
    name: page.title,
    slug: page.slug,
    url: `${baseUrl.replace(/\/+$/, "")}/status/${page.slug}`,
    domain: page.domain ?? "",
    enabled: page.enabled,
    access: page.access,
    haspassword: page.password !== undefined,
    language: page.language,
    timezone: page.timeZone ?? "",
    intro: page.intro,
    footer: page.footer,
    color: page.color ?? "",
    logo: page.logo ?? "",
    charts: page.charts ?? "none",
    sections: page.sections.map(({ name, checks }) => ({
      name,
      checks: checks.map(({ id, name }) => ({ id, name })),
    })),
    subscribe: page.hasSubscribeForm,
    outageincidents: page.outageIncidents,
    outagedelay: page.outageDelayMinutes,
    created: page.createdAt,
    modified: page.modifiedAt,
  };
}
