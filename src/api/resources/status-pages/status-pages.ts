import { z } from "zod";

import {
  chartPeriods,
  outageModes,
  pageAccesses,
  pageLanguages,
  type StatusPage,
} from "../../../domain/status/status-page.ts";
import { NotFound } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation, type Resource } from "../../operation.ts";
import { customerid, id } from "../identifiers.ts";
import { deletedResponse, oneOrById, warning } from "../responses.ts";
import { changedPage, newPage, savePage } from "./parse-page.ts";
import { pageFields } from "./input.ts";

type Deps = Pick<
  ResourceDeps,
  "clock" | "ids" | "passwords" | "sessions" | "statusDomains" | "store"
>;

export function statusPages(deps: Deps): Resource {
  return {
    name: "statuspages",
    ids: "record",
    summary: "Pages that show others how chosen checks are",
    recorded: async (tx, { accountId, id }) => {
      const page = await tx.statusPages.find(accountId, id);
      if (page === undefined) return undefined;
      const { password, intro, footer, logo, sections, charts = "none" } = page;
      return {
        kept: {
          name: page.title,
          slug: page.slug,
          domain: page.domain,
          enabled: page.enabled,
          access: page.access,
          language: page.language,
          timezone: page.timeZone,
          color: page.color,
          charts,
          subscribe: page.hasSubscribeForm,
          outageincidents: page.outageIncidents,
          outagedelay: page.outageDelayMinutes,
        },
        compared: { password, intro, footer, logo, sections },
      };
    },
    operations: {
      GET: getPages(deps),
      POST: createPage(deps),
      PUT: changePage(deps),
      DELETE: deletePage(),
    },
  };
}

function getPages({ store, sessions: { url } }: Deps): Operation {
  return operation({
    summary: "Returns one status page, or all of an account by id",
    needs: "view",
    effect: "read",
    input: z.object({ id: id.describe("The id of the record; all if missing"), customerid }),
    response: oneOrById(statusPageResponse),
    async handle({ id }, { account }) {
      if (id === undefined) {
        const all = await store.statusPages.list(account.id);
        return Object.fromEntries(all.map((page) => [page.id, toResponse(page, url)]));
      }
      const page = await store.statusPages.find(account.id, id);
      if (page === undefined) throw missing();
      return toResponse(page, url);
    },
  });
}

function createPage(deps: Deps): Operation {
  return operation({
    summary: "Creates a status page",
    needs: "edit",
    effect: "write",
    input: z.object(pageFields),
    example: { name: "Shop", intro: "How our shop is.", sections: [] },
    response: statusPageResponse,
    async handle(input, { account, about, writeWithinLimits }) {
      const page = await newPage(deps, account, input);
      about(page.id);
      const saved = await writeWithinLimits(account, (tx) =>
        savePage(tx, { page, write: (each) => tx.statusPages.insert(each), added: input.sections }),
      );
      return toResponse(saved, deps.sessions.url);
    },
  });
}

function changePage(deps: Deps): Operation {
  return operation({
    summary: "Changes a status page; what is not sent stays",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), ...pageFields }),
    example: { name: "Shop" },
    response: statusPageResponse,
    async handle({ id, ...input }, { account, writeWithinLimits }) {
      const { store, sessions } = deps;
      if ((await store.statusPages.find(account.id, id)) === undefined) throw missing();
      const change = await changedPage(deps, account, input);
      const page = await writeWithinLimits(account, async (tx) => {
        const known = await tx.statusPages.lock(account.id, id);
        if (known === undefined) throw missing();
        return savePage(tx, {
          page: change(known),
          write: (each) => tx.statusPages.update(each),
          added: input.sections,
        });
      });
      return toResponse(page, sessions.url);
    },
  });
}

function deletePage(): Operation {
  return operation({
    summary: "Deletes a status page",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account, write }) {
      await write(async (tx) => {
        if (!(await tx.statusPages.remove(account.id, id))) throw missing();
        await tx.changes.record({ accountId: account.id, checkNo: undefined });
      });
      return { ok: true, id };
    },
  });
}

function missing(): NotFound {
  return new NotFound("Unable to find that status page");
}

const statusPageResponse = z
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

function toResponse(page: StatusPage, baseUrl: string): z.infer<typeof statusPageResponse> {
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
