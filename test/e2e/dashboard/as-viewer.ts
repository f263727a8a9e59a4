import { openSignInLink, type Dashboard } from "./dashboard.ts";

interface ContactRecord {
  readonly custrole: string;
  readonly customer_id: string;
}

/** Gives the signed-in contact the role view, which ends its session, and signs it in again on the same page. */
export async function becomeViewer(dashboard: Dashboard): Promise<void> {
  const { site, page } = dashboard;
  const contacts: Readonly<Record<string, ContactRecord>> = await site.api("GET contacts");
  const [contactId = "", own] =
    Object.entries(contacts).find(([, { custrole }]) => custrole === "owner") ?? [];
  await site.api("POST contacts", { name: "Zoe", custrole: "owner" });
  await site.api("PUT contacts", { id: contactId, custrole: "view" });
  const shown = page.url();
  await openSignInLink(page, dashboard, { accountId: own?.customer_id ?? "", contactId });
  await page.goto(shown);
}
