import type { Kysely, Selectable, Generated } from "kysely";

import { publicStateOf, type PublicState } from "../../domain/status/public-check.ts";
import type { StatusPage, OutageMode, PageAccess } from "../../domain/status/status-page.ts";
import { checksWithState } from "./checks/check-records.ts";
import { openGapFromRow } from "./checks/check-row.ts";
import { checksInMaintenance } from "./checks/maintenance-checks.ts";
import { toFlag, type NumericBoolean } from "./columns.ts";
import type { Engine } from "./engine.ts";
import { ownedRows } from "./owned-rows.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly status_pages: StatusPageTable;
    readonly status_page_names: StatusPageNameTable;
  }
}

interface StatusPageTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly enabled: NumericBoolean;
  readonly access: PageAccess;
  readonly password: string | null;
  readonly title: string;
  /** JSON. */
  readonly settings: string;
  /** JSON. */
  readonly sections: string;
  readonly logo: string | null;
  readonly outage_incidents: OutageMode;
  readonly created_at: number;
  readonly modified_at: number;
}

interface StatusPageNameTable {
  readonly kind: TakenName;
  readonly name: string;
  readonly page_id: string;
}

/** Name already used by a page of any account. */
export type TakenName = "slug" | "domain";

/** How a page is found by strangers. */
export type PageName =
  | { readonly id: string }
  | { readonly slug: string }
  | { readonly domain: string };

/** Check state shown on a page. */
export interface ShownState {
  readonly id: string;
  readonly no: number;
  readonly uuid: string;
  readonly state: PublicState;
}

interface Deps {
  readonly engine: Engine;
}

export function createStatusPageReads(db: Kysely<Database>) {
  const pages = pagesWithNames(db);
  return {
    async find(accountId: string, id: string): Promise<StatusPage | undefined> {
      const row = await pages
        .where("status_pages.account_id", "=", accountId)
        .where("status_pages.id", "=", id)
        .executeTakeFirst();
      return row && fromRow(row);
    },
    /** Oldest first. */
    async list(accountId: string): Promise<readonly StatusPage[]> {
      const rows = await pages
        .where("status_pages.account_id", "=", accountId)
        .orderBy("status_pages.seq")
        .execute();
      return rows.map(fromRow);
    },
    /** Finds an enabled page of any active account. */
    async findShown(name: PageName): Promise<StatusPage | undefined> {
      const row = await pages
        .where("status_pages.id", "in", idsNamed(db, name))
        .where("status_pages.enabled", "=", 1)
        .where(
          "status_pages.account_id",
          "in",
          db.selectFrom("accounts").select("id").where("status", "=", "active"),
        )
        .executeTakeFirst();
      return row && fromRow(row);
    },
    /** Checks that the account has, by ID. */
    async shownStates(
      accountId: string,
      checkIds: readonly string[],
    ): Promise<ReadonlyMap<string, ShownState>> {
      const rows = await checksWithState(db)
        .select(["checks.id", "checks.no", "checks.uuid", "checks.enabled"])
        .select(["checks.disabled_with_all", "check_states.state"])
        .select((eb) => eb("checks.no", "in", checksInMaintenance(db)).as("in_maintenance"))
        // guard: checks of the account on its pages
        .where("checks.account_id", "=", accountId)
        .where("checks.id", "in", checkIds)
        .execute();
      return new Map(
        rows.map((row) => {
          const check = {
            enabled: row.enabled === 1,
            disabledWithAll: row.disabled_with_all === 1,
            inMaintenance: Boolean(row.in_maintenance),
          };
          const state = publicStateOf({
            check,
            state: { state: row.state ?? undefined },
            openGap: openGapFromRow(row),
          });
          const { id, no, uuid } = row;
          return [id, { id, no, uuid, state }];
        }),
      );
    },
  };
}

/** Names are first come, first served: if one is taken, the transaction writes nothing of the page and must end. */
export function createStatusPageWrites(db: Kysely<Database>, { engine }: Deps) {
  const rows = ownedRows(db, "status_pages");
  return {
    /** The page, which no other unit changes until this one ends. */
    async lock(accountId: string, id: string): Promise<StatusPage | undefined> {
      const row = db
        .selectFrom("status_pages")
        .select("id")
        .where("account_id", "=", accountId)
        .where("id", "=", id);
      // Reads the names from their own table after the lock, when no other transaction changes them.
      const locked = await engine.lockRows(row).executeTakeFirst();
      return locked && createStatusPageReads(db).find(accountId, id);
    },
    async insert(page: StatusPage): Promise<TakenName | undefined> {
      await db.insertInto("status_pages").values(toRow(page)).execute();
      return claimNames(db, page);
    },
    async update(page: StatusPage): Promise<TakenName | undefined> {
      await rows.update(toRow(page));
      await db.deleteFrom("status_page_names").where("page_id", "=", page.id).execute();
      return claimNames(db, page);
    },
    remove: rows.remove,
  };
}

/** Pages with their names, in columns of their own. */
function pagesWithNames(db: Kysely<Database>) {
  return db
    .selectFrom("status_pages")
    .innerJoin("status_page_names as slugs", (join) =>
      join.onRef("slugs.page_id", "=", "status_pages.id").on("slugs.kind", "=", "slug"),
    )
    .leftJoin("status_page_names as domains", (join) =>
      join.onRef("domains.page_id", "=", "status_pages.id").on("domains.kind", "=", "domain"),
    )
    .selectAll("status_pages")
    .select(["slugs.name as slug", "domains.name as domain"]);
}

function idsNamed(db: Kysely<Database>, name: PageName) {
  if ("id" in name) return db.selectFrom("status_pages").select("id").where("id", "=", name.id);
  const [kind, text] =
    "slug" in name ? (["slug", name.slug] as const) : (["domain", name.domain] as const);
  return db
    .selectFrom("status_page_names")
    .select("page_id as id")
    .where("kind", "=", kind)
    .where("name", "=", text);
}

/** The first name that another page has; a unique key decides, so that of two who claim one at a time only one gets it. */
async function claimNames(
  db: Kysely<Database>,
  { id, slug, domain }: StatusPage,
): Promise<TakenName | undefined> {
  const claims = [
    { kind: "slug", name: slug, page_id: id } as const,
    ...(domain === undefined ? [] : [{ kind: "domain", name: domain, page_id: id } as const]),
  ];
  for (const claim of claims) {
    const claimed = await db
      .insertInto("status_page_names")
      .values(claim)
      .onConflict((conflict) => conflict.doNothing())
      .returning("page_id")
      .executeTakeFirst();
    if (claimed === undefined) return claim.kind;
  }
  return undefined;
}

function toRow(page: StatusPage): Omit<Selectable<StatusPageTable>, "seq"> {
  const { intro, footer, language, timeZone, color, charts } = page;
  const { hasSubscribeForm, outageDelayMinutes } = page;
  return {
    id: page.id,
    account_id: page.accountId,
    enabled: toFlag(page.enabled),
    access: page.access,
    password: page.password ?? null,
    title: page.title,
    settings: JSON.stringify({
      intro,
      footer,
      language,
      timeZone,
      color,
      charts,
      hasSubscribeForm,
      outageDelayMinutes,
    }),
    sections: JSON.stringify(page.sections),
    logo: page.logo ?? null,
    outage_incidents: page.outageIncidents,
    created_at: page.createdAt,
    modified_at: page.modifiedAt,
  };
}

interface PageRow extends Selectable<StatusPageTable> {
  readonly slug: string;
  readonly domain: string | null;
}

type PageSettings = Pick<
  StatusPage,
  | "intro"
  | "footer"
  | "language"
  | "timeZone"
  | "color"
  | "charts"
  | "hasSubscribeForm"
  | "outageDelayMinutes"
>;

function fromRow(row: PageRow): StatusPage {
  const settings: PageSettings = JSON.parse(row.settings);
  return {
    id: row.id,
    accountId: row.account_id,
    slug: row.slug,
    domain: row.domain ?? undefined,
    enabled: row.enabled === 1,
    access: row.access,
    password: row.password ?? undefined,
    title: row.title,
    intro: settings.intro,
    footer: settings.footer,
    language: settings.language,
    timeZone: settings.timeZone,
    color: settings.color,
    logo: row.logo ?? undefined,
    charts: settings.charts,
    sections: JSON.parse(row.sections),
    hasSubscribeForm: settings.hasSubscribeForm,
    outageIncidents: row.outage_incidents,
    outageDelayMinutes: settings.outageDelayMinutes,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}
