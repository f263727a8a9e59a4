import { z } from "zod";

import { includesAccess } from "../../domain/account/access.ts";
import {
  changedRecords,
  type ConfigurationSummary,
  type ManagedConfiguration,
  type ManagedRecord,
} from "../../domain/account/managed-configuration.ts";
import { InvalidInput, NotFound } from "../../kit/errors.ts";
import { field, required } from "../../schema/field.ts";
import { parseRecord, record } from "../../schema/json-values.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import { operation, type Operation, type Resource } from "../operation.ts";
import { customerid, id, maxIdLength } from "./identifiers.ts";
import { deletedResponse, warning } from "./responses.ts";

const MAX_NAME_LENGTH = 100;

/** Maximum records in one request. */
const MAX_RECORDS = 1000;

const MAX_KEY_LENGTH = 300;
const MAX_DIGEST_LENGTH = 64;

const nameField = field({
  expected: `must be 1 to ${MAX_NAME_LENGTH} letters, digits, hyphens, dots and underscores`,
  jsonSchema: { type: "string", maxLength: MAX_NAME_LENGTH },
  parse: (value) =>
    typeof value === "string" && /^[\p{L}\p{N}_.-]+$/u.test(value) ? value : undefined,
}).describe("The name that the files give it");

const records = record(MAX_RECORDS, {
  type: ["object", "null"],
  properties: {
    id: { type: "string", maxLength: maxIdLength },
    digest: { type: "string", maxLength: MAX_DIGEST_LENGTH },
  },
}).describe(
  "By the section and the key in the files: `{id, digest}`, or null for one that is managed no more",
);

type Deps = Pick<ResourceDeps, "clock" | "ids" | "sealer" | "store">;

/** Maximum configurations of an account. */
const MAX_CONFIGURATIONS = 100;
/** Characters of JSON of one configuration: it is read and written as a whole. */
const MAX_CHARACTERS = 4_194_304;

const described = {
  _id: z.string(),
  type: z.literal("configuration"),
  customer_id: z.string(),
  name: z.string(),
  size: z.int().describe("How many records it has"),
  created: z.int().describe("When it was first applied, in ms since 1970"),
  modified: z.int().describe("When it was last applied, in ms since 1970"),
};

const summaryResponse = z.object(described).meta({ id: "ConfigurationSummary" });

const configurationResponse = z
  .object({
    ...described,
    records: z
      .record(
        z.string(),
        z.object({
          id: z.string().describe("The id of the record"),
          digest: z
            .string()
            .describe(
              "Of what the files said of it when it was applied; where that had secrets, it is made with `digestkey`",
            ),
        }),
      )
      .describe("By the section and the key in the files, such as `checks/web`"),
    digestkey: z
      .string()
      .optional()
      .describe(
        "The key for digests of records with secrets, derived from the instance key; missing for callers who may not change the account",
      ),
    warning,
  })
  .meta({ id: "Configuration" });

export function configurations(deps: Deps): Resource {
  return {
    name: "configurations",
    ids: "record",
    summary:
      "Which records `watchpost apply` has made from a configuration in files, so that it knows them again under the keys that they have there",
    operations: {
      GET: getConfigurations(deps),
      POST: createConfiguration(deps),
      PUT: changeConfiguration(deps),
      DELETE: deleteConfiguration(),
    },
  };
}

function getConfigurations({ store, sealer }: Deps): Operation {
  return operation({
    summary: "Returns one configuration with its records, or all of an account by id, without them",
    needs: "view",
    effect: "read",
    input: z.object({ id: id.describe("The id of the record; all if missing"), customerid }),
    response: z.union([configurationResponse, z.record(z.string(), summaryResponse)]),
    async handle({ id }, { account, access }) {
      if (id === undefined) {
        const all = await store.configurations.list(account.id);
        return Object.fromEntries(all.map((each) => [each.id, summaryToWire(each)]));
      }
      const configuration = await store.configurations.find(account.id, id);
      if (configuration === undefined) throw missing();
      return toResponse(configuration, { access, sealer });
    },
  });
}

function createConfiguration({ store, ids, clock, sealer }: Deps): Operation {
  return operation({
    summary: "Creates a configuration, or returns the one of that name",
    needs: "edit",
    effect: "write",
    input: z.object({ customerid, name: required(nameField) }),
    example: { name: "shop" },
    response: configurationResponse,
    async handle({ name }, { account, access, about, writeWithinLimits }) {
      const now = clock.now();
      const made: ManagedConfiguration = {
        id: ids.configuration(),
        accountId: account.id,
        name,
        records: {},
        createdAt: now,
        modifiedAt: now,
      };
      const known = await store.configurations.findByName(account.id, name);
      if (known !== undefined) {
        about(known.id);
        return toResponse(known, { access, sealer });
      }
      about(made.id);
      await writeWithinLimits(account, async (tx) => {
        if ((await tx.configurations.list(account.id)).length >= MAX_CONFIGURATIONS)
          throw new InvalidInput(
            `name: an account has at most ${MAX_CONFIGURATIONS} configurations`,
          );
        await tx.configurations.insert(made);
      });
      return toResponse(made, { access, sealer });
    },
  });
}

function changeConfiguration({ clock }: Deps): Operation {
  return operation({
    summary: "Changes which records a configuration has; those that are not sent stay",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid, records }),
    example: { records: { "checks/web": { id: "ABCDEFGH", digest: "0a1b2c3d" } } },
    response: summaryResponse.extend({ warning }),
    async handle({ id, records: sent }, { account, writeWithinLimits }) {
      const changes = recordChanges(sent ?? {});
      const changed = await writeWithinLimits(account, async (tx) => {
        const known = await tx.configurations.find(account.id, id);
        if (known === undefined) throw missing();
        const merged: ManagedConfiguration = {
          ...known,
          records: changedRecords(known.records, changes),
          modifiedAt: Math.max(clock.now(), known.modifiedAt + 1),
        };
        if (JSON.stringify(merged.records).length > MAX_CHARACTERS)
          throw new InvalidInput(
            `records: a configuration may have ${MAX_CHARACTERS} characters of JSON in all`,
          );
        await tx.configurations.update(merged);
        return merged;
      });
      return summaryToWire({ ...changed, size: Object.keys(changed.records).length });
    },
  });
}

function deleteConfiguration(): Operation {
  return operation({
    summary: "Forgets a configuration; its records stay, and are managed by it no more",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account, write }) {
      if (!(await write((tx) => tx.configurations.remove(account.id, id)))) throw missing();
      return { ok: true, id };
    },
  });
}

function missing(): NotFound {
  return new NotFound("Unable to find that configuration");
}

function toResponse(
  configuration: ManagedConfiguration,
  { access, sealer }: Pick<Call, "access"> & Pick<Deps, "sealer">,
): z.infer<typeof configurationResponse> {
  const { id, records } = configuration;
  const key = sealer.deriveKey(`configuration ${id}`);
  return {
    ...summaryToWire({ ...configuration, size: Object.keys(records).length }),
    records,
    // With the key, a read-only user could test passwords on the digests.
    ...(includesAccess(access, "edit") && { digestkey: Buffer.from(key).toString("base64url") }),
  };
}

function summaryToWire(configuration: ConfigurationSummary): z.infer<typeof summaryResponse> {
  return {
    _id: configuration.id,
    type: "configuration",
    customer_id: configuration.accountId,
    name: configuration.name,
    size: configuration.size,
    created: configuration.createdAt,
    modified: configuration.modifiedAt,
  };
}

/** Throws InvalidInput where a record is not as it must be. */
function recordChanges(
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ManagedRecord | null>> {
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, change(key, value)]));
}

function change(key: string, sent: unknown): ManagedRecord | null {
  if (key.length > MAX_KEY_LENGTH)
    throw new InvalidInput(`records: keys have at most ${MAX_KEY_LENGTH} characters`);
  if (sent === null) return null;
  const entry = parseRecord(sent, "records");
  const { id, digest } = entry ?? {};
  if (!isText(id, maxIdLength) || !isText(digest, MAX_DIGEST_LENGTH))
    throw new InvalidInput(
      `records: must have objects of id and digest, or null ${JSON.stringify(key)}`,
    );
  return { id, digest };
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === "string" && value !== "" && value.length <= longest;
}
