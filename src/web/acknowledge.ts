import type { AcknowledgeLinks, LinkedOutage } from "../channels/acknowledge-links.ts";
import {
  longestAcknowledgementNote,
  longestAcknowledger,
} from "../domain/alert/acknowledgement.ts";
import type { Acknowledgement } from "../domain/alert/acknowledgement.ts";
import type { Clock } from "../kit/clock.ts";
import { escapeHtml } from "../kit/http/escape-html.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { CheckRecord } from "../store/checks.ts";
import type { Store } from "../store/store.ts";
import { acknowledgeOutage } from "../store/units/acknowledge-outage.ts";
import { linkPage } from "./link-page.ts";
import type { LinkPage, LinkPages } from "./link-page.ts";

interface Deps {
  readonly store: Pick<Store, "accounts" | "checks" | "contacts" | "write">;
  readonly acknowledging: Pick<AcknowledgeLinks, "verify">;
  readonly ids: Pick<Ids, "alert">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Has the notifier look at once. */
  readonly wake: () => void;
}

/** Whoever got the alert of an outage says that they see to it. */
export function createAcknowledgePage(deps: Deps): LinkPages {
  const { store, acknowledging, ids, clock, log, wake } = deps;

  const withOutage =
    (answer: (linked: LinkedOutage, found: CheckRecord, form: Form) => Promise<LinkPage>) =>
    async (query: URLSearchParams, form: Form): Promise<LinkPage> => {
      const linked = acknowledging.verify(query);
      if (linked === undefined) return linkPage(404, "<p>This link is not whole.</p>");
      const { accountId, checkId, outage } = linked;
      const account = await store.accounts.find(accountId);
      const found = account?.status === "active" && (await store.checks.find(accountId, checkId));
      if (!found) return linkPage(404, "<p>The check that this link is about is gone.</p>");
      return found.state.outage === outage
        ? answer(linked, found, form)
        : linkPage(200, `<p>${nameOf(found)} is up again: that outage is over.</p>`);
    };
  return {
    ask: withOutage(async ({ accountId, contactId }, found) => {
      const contact = await store.contacts.find(accountId, contactId);
      const { acknowledgement } = found.state;
      const known = acknowledgement === undefined ? "" : `<p>${sentenceOf(acknowledgement)}</p>`;
      return linkPage(
        200,
        `<p>${nameOf(found)} is down.</p>${known}<form method="post"><p><label>Your name <input name="by" maxlength="${longestAcknowledger}" value="${escapeHtml(contact?.name ?? "")}"></label></p><p><label>Note <input name="note" maxlength="${longestAcknowledgementNote}"></label></p><p><button type="submit">I see to it</button></p></form><p>Until it is up again nobody is reminded of it, and no further alert is sent whose delay is not over. Everybody who was alerted is sent your name.</p>`,
      );
    }),
    act: withOutage(async ({ accountId, contactId, addressId, outage }, { check }, form) => {
      const contact = await store.contacts.find(accountId, contactId);
      const given = (name: string, most: number): string =>
        (form.get(name) ?? "").toWellFormed().trim().slice(0, most);
      const acknowledgement = {
        at: clock.now(),
        by: given("by", longestAcknowledger) || contact?.name || "somebody who was alerted",
        note: given("note", longestAcknowledgementNote),
      };
      const isDone = await store.write(
        (tx) =>
          acknowledgeOutage(
            tx,
            { check, outage, acknowledgement, from: { contactId, addressId } },
            ids,
          ),
        { checks: [check.no] },
      );
      if (!isDone) return linkPage(200, "<p>It is up again: that outage is over.</p>");
      log.info("web.acknowledged", { check: check.id, contact: contactId, address: addressId });
      wake();
      return linkPage(200, `<p>${sentenceOf(acknowledgement)}</p>`);
    }),
  };
}

type Form = Pick<URLSearchParams, "get">;

function nameOf({ check }: CheckRecord): string {
  return escapeHtml(check.label || check.id);
}

function sentenceOf({ by, note }: Acknowledgement): string {
  return `Acknowledged by ${escapeHtml(by)}${note === "" ? "." : `: ${escapeHtml(note)}`}`;
}
