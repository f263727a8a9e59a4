import type { ImportSystem } from "../../imported.ts";
import { object, objects, readSources } from "../../source.ts";
import { nodePingApi } from "./api.ts";
import { importedFromNodePing } from "./records.ts";

export const nodePing: ImportSystem = {
  name: "nodeping",
  description:
    "NodePing: what its API answers to GET /api/1/checks and /api/1/contacts, as files in a folder.",
  async read(path) {
    const records = (await readSources(path)).flatMap(({ value }) =>
      Array.isArray(value) ? objects(value) : Object.values(object(value)).map(object),
    );
    return importedFromNodePing({
      checks: records.filter(({ parameters }) => parameters !== undefined),
      contacts: records.filter(({ addresses }) => addresses !== undefined),
    });
  },
  remote: nodePingApi,
};
