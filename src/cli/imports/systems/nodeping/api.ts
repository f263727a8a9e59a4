import { authorizationOf, type JsonObject } from "../../../api-client.ts";
import { countOf, historyOfPieces } from "../../history/history-files.ts";
import type { History, Piece } from "../../history/history.ts";
import { complement } from "../../../../domain/span.ts";
import type { Imported, RemoteApi, RemoteSystem } from "../../imported.ts";
import { number, object, objects, text } from "../../source.ts";
import { importedFromNodePing } from "./records.ts";

const MAX_EVENTS = 5000;

/** Any service with this API, another installation of this program among them. */
export const nodePingApi: RemoteSystem = {
  usualUrl: "https://api.nodeping.com/api/1",
  headersOf: (token) => ({ authorization: authorizationOf(token) }),
  async read(api) {
    const parts = ["checks", "contacts", "contactgroups", "notificationprofiles", "maintenance"];
    const answers = new Map<string, unknown>();
    for (const part of parts) answers.set(part, await api.get(part));
    const records = object(answers.get("checks"));
    const imported = importedFromNodePing({
      checks: recordsOf(records),
      contacts: recordsOf(answers.get("contacts")),
      groups: recordsOf(answers.get("contactgroups")),
      profiles: recordsOf(answers.get("notificationprofiles")),
      maintenance: maintenanceOf(answers.get("maintenance")),
      timeZone: await zoneOf(api),
    });
    const checks: Imported["checks"][number][] = [];
    for (const check of imported.checks) {
      const created = number(object(records[check.from]).created);
      const history =
        created === undefined ? undefined : await historyOf(api, { id: check.from, created });
      checks.push({ ...check, ...(history !== undefined && { history }) });
    }
    return { ...imported, checks };
  },
};

/** An answer has records by their ids. */
export function recordsOf(answer: unknown): readonly JsonObject[] {
  return Object.entries(object(answer)).map(([_id, record]) => ({ _id, ...object(record) }));
}

/** Returns the account's time zone, which only an account list includes; undefined if the token may not read it. */
async function zoneOf(api: RemoteApi): Promise<string | undefined> {
  const read = async (path: string): Promise<JsonObject> =>
    object(await api.get(path).catch(() => undefined));
  const [id = ""] = Object.keys(await read("accounts"));
  const { timezonename, timezone } = await read(`accounts/${id}`);
  return text(timezonename) ?? text(timezone);
}

/** Converts maintenance, by ID or inside a member. */
function maintenanceOf(answer: unknown) {
  const { schedules } = object(answer);
  return recordsOf(schedules ?? answer);
}

interface Event {
  readonly type: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** It was watched from its creation on, or from the oldest event where more are not listed, but while it was switched off. */
async function historyOf(
  api: RemoteApi,
  { id, created }: { readonly id: string; readonly created: number },
): Promise<History | undefined> {
  const now = api.now();
  const answer = await api.get(`results/events/${id}`, { limit: MAX_EVENTS });
  const events = objects(answer)
    .flatMap((event): readonly Event[] => {
      const { start, end } = { start: number(event.start), end: number(event.end) ?? now };
      const message = text(event.message) ?? text(event.code) ?? "";
      return start === undefined ? [] : [{ type: text(event.type), start, end, message }];
    })
    .toSorted((one, other) => one.start - other.start);
  const from = events.length === MAX_EVENTS ? (events[0]?.start ?? now) : created;
  const down = events.filter(({ type, start }) => type === "down" && start >= from);
  const others = events.filter(({ type }) => type !== "down");
  const unknownOrDown = [...others, ...down].toSorted((one, other) => one.start - other.start);
  const up = complement(unknownOrDown, from).map(({ start, end = now }): Piece => ({
    state: "up",
    start,
    end,
  }));
  const pieces = down.map((event): Piece => ({ ...event, state: "down" }));
  return historyOfPieces(countOf(events.length, "event"), [...up, ...pieces]);
}
