import type { z } from "zod";

import type { Account } from "../../../domain/account/account.ts";
import { publicNameOf } from "../../../domain/status/public-check.ts";
import {
  isWithinDomains,
  type ShownCheck,
  type StatusPage,
  type StatusSection,
} from "../../../domain/status/status-page.ts";
import { InvalidInput } from "../../../kit/errors.ts";
import { accountAsker } from "../../../kit/concurrency/askers.ts";
import type { Transaction } from "../../../store/store.ts";
import type { TakenName } from "../../../store/tables/status-pages.ts";
import type { ResourceDeps } from "../../deps.ts";
import type { pageFields } from "./input.ts";
import type { SentSection } from "./sections.ts";

type Input = z.output<z.ZodObject<typeof pageFields>>;
type Deps = Pick<ResourceDeps, "clock" | "ids" | "passwords" | "sessions" | "statusDomains">;

/** A check that is down for less has often only been restarted. */
const USUAL_OUTAGE_DELAY_MINUTES = 5;

/** Change of a status page; empty text removes a value. */
type Change = (known: StatusPage) => StatusPage;

export async function newPage(deps: Deps, account: Account, input: Input): Promise<StatusPage> {
  if (input.name === undefined) throw new InvalidInput("name: required");
  const id = deps.ids.statusPage();
  const now = deps.clock.now();
  const change = await changedPage(deps, account, input);
  const page = change({
    id,
    accountId: account.id,
    slug: id.toLowerCase(),
    domain: undefined,
    enabled: true,
    access: "public",
    password: undefined,
    title: input.name,
    intro: "",
    footer: "",
    language: "en",
    timeZone: undefined,
    color: undefined,
    logo: undefined,
    charts: undefined,
    sections: [],
    hasSubscribeForm: true,
    outageIncidents: "off",
    outageDelayMinutes: USUAL_OUTAGE_DELAY_MINUTES,
    createdAt: now,
    modifiedAt: now,
  });
  return { ...page, modifiedAt: now };
}

/** A password is hashed before the unit, which awaits nothing but its transaction. */
export async function changedPage(deps: Deps, account: Account, input: Input): Promise<Change> {
  if (input.domain !== undefined && input.domain !== "") assertAllowed(deps, input.domain);
  const password =
    input.password === undefined
      ? undefined
      : await deps.passwords.hash(input.password, accountAsker(account.id));
  const now = deps.clock.now();
  const orNone = (text: string | undefined, known: string | undefined) =>
    text === undefined ? known : text || undefined;
  return (known) => ({
    ...known,
    title: input.name ?? known.title,
    slug: input.slug ?? known.slug,
    domain: orNone(input.domain, known.domain),
    enabled: input.enabled ?? known.enabled,
    access: input.access ?? known.access,
    password: password ?? known.password,
    language: input.language ?? known.language,
    timeZone: orNone(input.timezone, known.timeZone),
    intro: input.intro ?? known.intro,
    footer: input.footer ?? known.footer,
    color: orNone(input.color, known.color),
    logo: orNone(input.logo, known.logo),
    hasSubscribeForm: input.subscribe ?? known.hasSubscribeForm,
    outageIncidents: input.outageincidents ?? known.outageIncidents,
    outageDelayMinutes: input.outagedelay ?? known.outageDelayMinutes,
    charts: chartsOf(input.charts, known.charts),
    modifiedAt: Math.max(now, known.modifiedAt + 1),
  });
}

function chartsOf(sent: Input["charts"], known: StatusPage["charts"]): StatusPage["charts"] {
  if (sent === undefined) return known;
  return sent === "none" ? undefined : sent;
}

/** Stores the page with the sections that were sent, where it has any. Throws InvalidInput where another page has its name, or the account has not that check. */
export async function savePage(
  tx: Transaction,
  {
    page,
    write,
    added,
  }: {
    readonly page: StatusPage;
    readonly write: (page: StatusPage) => Promise<TakenName | undefined>;
    readonly added: readonly SentSection[] | undefined;
  },
): Promise<StatusPage> {
  if (page.access === "password" && page.password === undefined)
    throw new InvalidInput("password: required with the access password");
  const sections = added === undefined ? page.sections : await namedSections(tx, page, added);
  const saved = { ...page, sections };
  const taken = await write(saved);
  if (taken !== undefined)
    throw new InvalidInput(`${taken}: another status page has it ${JSON.stringify(page[taken])}`);
  await tx.changes.record({ accountId: page.accountId, checkNo: undefined });
  return saved;
}

/** Gives unnamed checks their label. A deleted check may remain in its section. */
async function namedSections(
  tx: Transaction,
  { accountId, sections: known }: StatusPage,
  sections: readonly SentSection[],
): Promise<readonly StatusSection[]> {
  const before = new Set(known.flatMap((section) => section.checks.map(({ id }) => id)));
  const sent = [...new Set(sections.flatMap((section) => section.checks.map(({ id }) => id)))];
  const added = sent.filter((id) => !before.has(id));
  const [unknown] = added.length === 0 ? [] : await tx.checks.missingIds(accountId, added);
  if (unknown !== undefined)
    throw new InvalidInput(`sections: no such check ${JSON.stringify(unknown)}`);
  const named: StatusSection[] = [];
  for (const { name, checks } of sections) {
    const shown: ShownCheck[] = [];
    for (const check of checks)
      shown.push({ id: check.id, name: check.name ?? (await labelOf(tx, accountId, check.id)) });
    named.push({ name, checks: shown });
  }
  return named;
}

async function labelOf({ checks }: Transaction, accountId: string, id: string): Promise<string> {
  const found = await checks.find(accountId, id);
  return found === undefined ? "" : publicNameOf(found.check);
}

/** The installation's own host always shows its dashboard, so no page may use it. */
function assertAllowed({ statusDomains, sessions }: Deps, domain: string): void {
  const isOwn = URL.parse(sessions.url)?.hostname === domain;
  // guard: domains that the operator allows
  if (isOwn || !isWithinDomains(domain, statusDomains))
    throw new InvalidInput(
      `domain: not allowed by this installation; whoever runs it can add it to WATCHPOST_STATUS_DOMAINS ${JSON.stringify(domain)}`,
    );
}
