import type { JsonObject } from "../../../api-client.ts";
import { leftOut, mapped, noSetting, noteFields, off, type Fields } from "../../fields.ts";
import { createNotes, type ImportedStatusPage } from "../../imported.ts";
import { isOn, number, text } from "../../source.ts";
import type { Tables } from "./read-database.ts";

const MAX_NAME_LENGTH = 200;
const OWN_LOOK = "pages have a look of their own";

export const statusPageFields: Fields = {
  ...mapped("description footer_text id published slug title"),
  ...noSetting("created_date modified_date"),
  ...off("password", "it is stored as a hash: set access and password"),
  ...leftOut("icon", "set a logo", "/icon.svg"),
  ...leftOut("theme", OWN_LOOK, "auto"),
  ...leftOut("custom_css", OWN_LOOK),
  ...leftOut("show_powered_by", OWN_LOOK, true),
  ...leftOut("search_engine_index", "search engines may list public pages", true),
  ...leftOut("show_tags", "tags are not shown"),
  ...leftOut("show_certificate_expiry", "certificates are not shown"),
  ...leftOut("show_only_last_heartbeat", "each check has bars of 90 days"),
  ...leftOut("auto_refresh_interval", "pages refresh themselves", 300),
  ...leftOut("analytics_id analytics_script_url analytics_type", "pages count no visitors"),
  ...leftOut("rss_title", "the feed has the title of the page"),
};

const groupFields: Fields = {
  ...mapped("id name status_page_id weight"),
  ...noSetting("active created_date public"),
};

const shownFields: Fields = {
  ...mapped("group_id monitor_id weight"),
  ...noSetting("id"),
  ...leftOut("send_url custom_url", "addresses of checks are not shown"),
};

/** Sections are what uptime-kuma calls groups of a page; its monitors of type group are tags here. */
export function statusPageOf(page: JsonObject, tables: Tables): ImportedStatusPage {
  const notes = createNotes();
  const [id, slug, title] = [String(page.id), text(page.slug), text(page.title)];
  const belongs = (row: JsonObject): boolean => String(row.status_page_id) === id;
  const names = new Map(
    (tables.monitor ?? []).map((row) => [String(row.id), text(row.name) ?? ""] as const),
  );
  noteFields(page, statusPageFields, notes);
  const sections = (tables.group ?? [])
    .filter(belongs)
    .toSorted(byWeight)
    .map((group) => {
      noteFields(group, groupFields, notes, "group.");
      const shown = (tables.monitor_group ?? [])
        .filter(({ group_id }) => String(group_id) === String(group.id))
        .toSorted(byWeight);
      for (const each of shown) noteFields(each, shownFields, notes, "monitor_group.");
      return {
        name: (text(group.name) ?? "").slice(0, MAX_NAME_LENGTH),
        checks: shown.map(({ monitor_id }) => {
          const from = String(monitor_id);
          return { from, name: (names.get(from) ?? "").slice(0, MAX_NAME_LENGTH) };
        }),
      };
    });
  const domains = (tables.status_page_cname ?? []).filter(belongs);
  if (domains.length > 0)
    notes.leftOut(
      "domain",
      `${domains.map(({ domain }) => text(domain)).join(", ")}: set it when WATCHPOST_STATUS_DOMAINS allows it`,
    );
  if ((tables.incident ?? []).some((row) => belongs(row) && isOn(row.active)))
    notes.leftOut("incident", "post what is still under way again");
  return {
    from: id,
    name: (title ?? slug ?? `Status page ${id}`).slice(0, MAX_NAME_LENGTH),
    parameters: {
      ...(slug !== undefined && { slug }),
      ...(text(page.description) !== undefined && { intro: text(page.description) }),
      ...(text(page.footer_text) !== undefined && { footer: text(page.footer_text) }),
      enabled: isOn(page.published) && !notes.isOff(),
    },
    sections,
    notes: notes.list,
  };
}

function byWeight(one: JsonObject, other: JsonObject): number {
  return (number(one.weight) ?? 0) - (number(other.weight) ?? 0);
}
