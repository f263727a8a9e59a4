import type { JsonObject } from "../../../api-client.ts";
import type { ImportSystem } from "../../imported.ts";
import { object, objects, readImportFiles } from "../../source.ts";
import { nodePingApi, recordsOf } from "./api.ts";
import { importedFromNodePing } from "./records.ts";

export const nodePing: ImportSystem = {
  name: "nodeping",
  description:
    "NodePing: what its API answers to GET /api/1/checks, /contacts, /contactgroups, /notificationprofiles and /maintenance, as files in a folder.",
  async read(path) {
    const records = (await readImportFiles(path)).flatMap(({ value }) => recordsIn(value));
    return importedFromNodePing({
      checks: records.filter(({ parameters }) => parameters !== undefined),
      contacts: records.filter(({ addresses }) => addresses !== undefined),
      groups: records.filter(({ members }) => members !== undefined),
      profiles: records.filter(
        ({ notifications, parameters }) => notifications !== undefined && parameters === undefined,
      ),
      maintenance: records.filter(({ checklist }) => checklist !== undefined),
    });
  },
  remote: nodePingApi,
};

/** A list, or an answer of the API, which has records by their ids. */
function recordsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? objects(value) : recordsOf(object(value).schedules ?? value);
}
