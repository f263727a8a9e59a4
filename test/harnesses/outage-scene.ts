import type { Incident } from "../../src/domain/status/incident.ts";
import type { StatusPage } from "../../src/domain/status/status-page.ts";
import { createIncidentRunner } from "../../src/controller/incidents.ts";
import { createIds } from "../../src/kit/ids.ts";
import { silentLog } from "../../src/kit/log.ts";
import type { Store } from "../../src/store/store.ts";
import { followOutages, type FollowedStep } from "../../src/store/transactions/follow-outages.ts";
import { saveIncident } from "../../src/store/transactions/save-incident.ts";
import { aCheck, aFlip, alice, aMaintenance, aStatusPage, minute } from "../record-builders.ts";
import { tempStore } from "../stores/temp-store.ts";
import { fakeClock } from "../time/fake-clock.ts";

/** Names of checks on the page, and in the account, where nobody else is to see them. */
export const shownNames = ["Shop", "Cards", "Search"] as const;
export const page = { accountId: alice.id, id: "PAGE" };
/** The delay of the page. */
export const blip = 5 * minute;

/** A page of Alice with three checks, whose outages are written to the store directly. */
export async function outageScene(settings: Partial<StatusPage> = {}) {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  const ids = createIds();
  let flips = 0;
  const sections = [
    { name: "All", checks: shownNames.map((name, index) => ({ id: `CHECK${index}`, name })) },
  ];
  const nos = await store.write(async (tx) => {
    await tx.accounts.insert(alice);
    const added: number[] = [];
    for (const index of shownNames.keys())
      added.push((await tx.checks.insert(secretCheck(index))).no);
    await tx.statusPages.insert(
      aStatusPage(page.id, { sections, outageIncidents: "post", ...settings }),
    );
    return added;
  });
  const noOf = (index: number): number => nos[index] ?? 0;

  const incidents = async (): Promise<readonly Incident[]> =>
    (await store.incidents.list(alice.id, { from: 0, limit: 500 })).toReversed();
  return {
    clock,
    store,
    ids,
    incidents,
    /** Confirms that a check is down, or up again; nothing where it is so already, or off. */
    async flip(index: number, to: "failing" | "passing"): Promise<void> {
      flips += 1;
      const { state: from } = await store.states.get(noOf(index));
      if (from === to) return;
      const record = await store.checks.find(alice.id, `CHECK${index}`);
      const at = clock.now();
      await store.write(({ states }) =>
        states.flip(
          aFlip(noOf(index), {
            id: `flip${flips}`,
            from,
            to,
            at,
            since: at,
            revision: record?.check.runRevision ?? 1,
          }),
        ),
      );
    },
    async switchCheck(index: number, enabled: boolean): Promise<void> {
      const record = await store.checks.find(alice.id, `CHECK${index}`);
      if (record === undefined) return;
      await store.write(({ checks }) => checks.update({ ...record.check, enabled }, clock.now()));
    },
    async removeCheck(index: number): Promise<void> {
      await store.write(({ checks }) => checks.remove(alice.id, `CHECK${index}`, clock.now()));
    },
    async holdCheck(index: number, isHeld: boolean): Promise<void> {
      const key = { accountId: alice.id, id: `M${index}` };
      await store.write(async ({ maintenances }) => {
        if ((await maintenances.find(alice.id, key.id)) === undefined)
          await maintenances.insert(aMaintenance(key.id));
        const change = isHeld ? "pauseChecks" : "resumeChecks";
        await maintenances[change](key, [`CHECK${index}`], clock.now());
      });
    },
    async changePage(changes: Partial<StatusPage>): Promise<void> {
      const known = await store.statusPages.find(alice.id, page.id);
      if (known !== undefined)
        await store.write(({ statusPages }) => statusPages.update({ ...known, ...changes }));
    },
    async changeIncident(id: string, change: (known: Incident) => Incident): Promise<void> {
      await store.write(async (tx) => {
        const known = await tx.incidents.lock(alice.id, id);
        if (known !== undefined) await saveIncident(tx, change(known), known);
      });
    },
    follow: (): Promise<readonly FollowedStep[]> =>
      store.write((tx) => followOutages(tx, page, ids)),
    /** Starts what runs in an installation, and stops it after some time. */
    async run({
      forMs = minute,
      wrap = (each: Store) => each,
    }: { readonly forMs?: number; readonly wrap?: (store: Store) => Store } = {}): Promise<void> {
      const stopping = new AbortController();
      const deps = { store: wrap(store), ids, clock, log: silentLog };
      const ran = createIncidentRunner(deps).run(stopping.signal);
      for (let leftMs = forMs; leftMs > 0; leftMs -= 5000)
        await clock.advance(Math.min(leftMs, 5000));
      stopping.abort();
      await clock.advance(10_000);
      await ran;
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Its name, target, and results are secret. */
function secretCheck(index: number): ReturnType<typeof aCheck> {
  return aCheck(`CHECK${index}`, {
    label: `secret label ${index}`,
    parameters: { target: `secret-${index}.internal.example` },
  });
}
