import type { JsonObject } from "../../api-client.ts";
import { calendarProblem } from "../../../domain/heartbeat/calendar.ts";
import { cronProblem } from "../../../domain/heartbeat/cron.ts";
import { parseTimeZone } from "../../../schema/time-zone.ts";
import { leftOut, mapped, noSetting, noteFields, type Fields } from "../fields.ts";
import {
  createNotes,
  type Imported,
  type ImportedCheck,
  type ImportedContact,
  type ImportSystem,
  type Notes,
  type RemoteApi,
} from "../imported.ts";
import { countOf, divideFiles, historyOfPieces } from "../history/history-files.ts";
import type { History, Piece } from "../history/history.ts";
import {
  isOn,
  listed,
  number,
  object,
  objects,
  readImportFiles,
  text,
  type ImportFile,
} from "../source.ts";
import { descriptionOf, heartbeatOf } from "../units.ts";

const DAY_S = 86_400;

export const checkFields: Fields = {
  ...mapped(
    `channels desc grace last_ping name ping_url schedule slug status tags timeout tz unique_key
    uuid`,
  ),
  ...noSetting(`badge_url last_duration n_pings next_ping pause_url resume_url started update_url`),
  ...leftOut(
    "failure_kw methods start_kw subject subject_fail success_kw",
    "every method and every text is a heartbeat here",
  ),
  ...leftOut(
    "filter_body filter_default_fail filter_http_body filter_subject",
    "texts are not searched for words",
  ),
  ...leftOut("manual_resume", "a check that is off stays off until it is enabled"),
};

export const channelFields: Fields = mapped("id kind name");

export const healthchecks: ImportSystem = {
  name: "healthchecks",
  description:
    "healthchecks: what its API answers to GET /api/v3/checks/ and /api/v3/channels/, with a full key, as checks.json and channels.json in a folder.",
  read: async (path) => importedOf(await readImportFiles(path)),
  remote: {
    usualUrl: "https://healthchecks.io/api/v3",
    headersOf: (token) => ({ "x-api-key": token }),
    read: async (api) => importedOf(await filesOf(api)),
  },
};

async function filesOf(api: RemoteApi): Promise<readonly ImportFile[]> {
  const checks = { name: "checks.json", value: await api.get("checks/") };
  const files = [checks, { name: "channels.json", value: await api.get("channels/") }];
  for (const uuid of listed([checks], "checks").flatMap((check) => text(check.uuid) ?? []))
    files.push({ name: `flips-${uuid}.json`, value: await api.get(`checks/${uuid}/flips/`) });
  return files;
}

function importedOf(sources: readonly ImportFile[]): Imported {
  const { files, about } = divideFiles(sources, "flips");
  const channels = listed(files, "channels");
  const contacts = channels.map(channelToContact);
  const absent: Imported["absent"][number][] = [];
  const checks = listed(files, "checks").flatMap((check) => {
    const made = checkOf(check, new Set(contacts.map(({ from }) => from)));
    if (typeof made !== "string") {
      const history = historyOfFlips(about(made.from), text(check.last_ping));
      return [{ ...made, ...(history !== undefined && { history }) }];
    }
    const name = text(check.name) ?? "";
    absent.push({ kind: "check", from: text(check.unique_key) ?? "", name, reason: made });
    return [];
  });
  if (checks.length > 0 && checks.every(({ history }) => history === undefined))
    absent.push({
      kind: "history",
      from: "flips",
      name: "when checks were up and down",
      reason:
        "it is in what the API answers to GET /api/v3/checks/<uuid>/flips/: save it as flips-<uuid>.json",
    });
  return { contacts, checks, maintenance: [], absent };
}

/** A flip is about the time until the next, and the last until the last ping: the file does not say when it was requested. */
function historyOfFlips(file: unknown, lastPing: string | undefined): History | undefined {
  const flips = (Array.isArray(file) ? objects(file) : objects(object(file).flips))
    .map(({ timestamp, up }) => ({ at: Date.parse(text(timestamp) ?? ""), isUp: isOn(up) }))
    .toSorted((one, other) => one.at - other.at);
  const last = Date.parse(lastPing ?? "");
  const pieces = flips.map(({ at, isUp }, index): Piece | undefined => {
    const end = flips[index + 1]?.at ?? last;
    return Number.isNaN(at) || Number.isNaN(end)
      ? undefined
      : { state: isUp ? "up" : "down", start: at, end };
  });
  return historyOfPieces(countOf(flips.length, "flip"), pieces);
}

function channelToContact(channel: JsonObject): ImportedContact {
  const notes = createNotes();
  const from = text(channel.id) ?? "";
  const kind = text(channel.kind) ?? "unknown";
  noteFields(channel, channelFields, notes);
  notes.leftOut("target", `the API does not show it: add an address (${kind}) to this contact`);
  return { from, name: text(channel.name) ?? kind, addresses: [], notes: notes.list };
}

function checkOf(check: JsonObject, channels: ReadonlySet<string>): ImportedCheck | string {
  const uuid = text(check.uuid);
  if (uuid === undefined)
    return "the file was made with a read-only key, which leaves out its address: use a full key";
  const notes = createNotes();
  noteFields(check, checkFields, notes);
  const tags = (text(check.tags) ?? "").split(/\s+/).filter((tag) => tag !== "");
  return {
    from: uuid,
    name: text(check.name) ?? text(check.slug) ?? uuid,
    type: "PUSH",
    parameters: {
      enabled: text(check.status) !== "paused",
      ...timesOf(check, notes),
      ...descriptionOf(text(check.desc), notes),
      ...(tags.length > 0 && { tags: tags.map((tag) => tag.slice(0, 100)) }),
    },
    recipients: (text(check.channels) ?? "")
      .split(",")
      .map((channel) => channel.trim())
      .filter((channel) => channels.has(channel))
      .map((contact) => ({ contact })),
    aliases: aliasesOf(check, uuid, notes),
    notes: notes.list,
  };
}

function timesOf(check: JsonObject, notes: Notes): JsonObject {
  const grace = number(check.grace) ?? 3600;
  const schedule = text(check.schedule)?.trim();
  if (schedule === undefined)
    return heartbeatOf({ period: number(check.timeout) ?? DAY_S, grace }, notes);
  const zone = text(check.tz) ?? "UTC";
  const timezone = parseTimeZone(zone);
  const off = (field: string, reason: string): JsonObject => {
    notes.leftOut(field, `${reason}; it is off`);
    return { enabled: false };
  };
  if (timezone === undefined) return off("tz", `${JSON.stringify(zone)} is no time zone here`);
  // Its own rule: five words are a cron, anything else is an expression of systemd.
  const isCalendar = schedule.split(/\s+/).length !== 5 || schedule.includes("\n");
  const problem = isCalendar ? calendarProblem(schedule) : unlikeCron(schedule);
  if (problem !== undefined) return off("schedule", problem);
  return {
    ...(isCalendar ? { oncalendar: schedule } : { cron: schedule }),
    timezone,
    grace: Math.max(0.25, Math.ceil(grace / 15) / 4),
    oldresultfail: true,
  };
}

/** Returns the reason why a cron expression has different times here; undefined if it does not. */
function unlikeCron(cron: string): string | undefined {
  const [, , day = "", , weekday = ""] = cron.split(/\s+/);
  const fields = [day, weekday].filter((field) => field !== "*");
  const hasBoth = fields.length === 2 && fields.some((field) => field.startsWith("*"));
  return hasBoth
    ? "with steps in its days, both day and weekday have to match there, and either of them here"
    : cronProblem(cron);
}

/** The address by slug has the ping key in it, which the API shows only in `ping_url`, and only where it is used. */
function aliasesOf(check: JsonObject, uuid: string, notes: Notes): readonly string[] {
  const byId = `/ping/${uuid}`;
  const path = URL.parse(text(check.ping_url) ?? "")?.pathname ?? byId;
  if (path !== byId && path !== `/${uuid}`) return [byId, path];
  if (text(check.slug) !== undefined)
    notes.leftOut(
      "slug",
      "the API does not show the ping key: for addresses by slug, POST /heartbeataliases with one of them",
    );
  return [byId];
}
