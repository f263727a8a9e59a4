import type { z } from "zod";

import { jsonSchemaOf } from "../src/api/openapi/schemas.ts";
import { checkTypes, parametersOfTypes } from "../src/checks/registry.ts";
import { dayNames } from "../src/domain/schedule.ts";
import {
  accountMembers,
  addressMembers,
  brandingMembers,
  sectionNames,
  shapes,
  type Members,
  type SectionName,
} from "../src/cli/configuration/shapes.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Reference to a value outside the files. */
const reference: Schema = { type: "string", pattern: "\\$\\{(env|file):" };
const name: Schema = { type: "string", minLength: 1 };
const time: Schema = { type: ["string", "integer", "boolean"] };

const wish: Schema = {
  anyOf: [
    { type: ["string", "null"], description: "The name of a schedule" },
    {
      type: "object",
      properties: {
        schedule: name,
        delay: { type: ["integer", "string"], description: "Minutes" },
        repeat: { type: ["integer", "string"], description: "Minutes between two reminders" },
        repeatcount: { type: ["integer", "string"] },
        repeatuntil: { type: ["integer", "string"], description: "Minutes" },
      },
      additionalProperties: false,
    },
  ],
};
const recipients: Schema = {
  description:
    "Who is alerted: names of contacts, groups and profiles, and `<contact>/<address>`, each with a schedule or with `{schedule, delay, repeat, repeatcount, repeatuntil}`; All if missing",
  anyOf: [
    { type: "object", additionalProperties: wish },
    {
      type: "array",
      items: { anyOf: [name, { type: "object", additionalProperties: wish }] },
    },
  ],
};
const references = (what: string): Schema => ({
  description: `Names of ${what}`,
  type: "array",
  items: name,
});
const window: Schema = {
  type: "object",
  properties: { time1: time, time2: time },
  additionalProperties: false,
};
const day: Schema = {
  type: ["object", "null"],
  properties: {
    time1: time,
    time2: time,
    exclude: time,
    disabled: time,
    allday: time,
    windows: { type: "array", items: window },
  },
};
/** In any case, as it was sent. */
const action: Schema = {
  description: "Of a webhook: the method; post if missing",
  type: "string",
  pattern: "^(?:get|put|post|head|delete|GET|PUT|POST|HEAD|DELETE)$",
};
const address: Schema = {
  anyOf: [
    { type: "string", description: "A mailbox" },
    {
      ...objectOf(addressMembers, { action }),
      anyOf: [{ required: ["address"] }, { required: ["service", "settings"] }],
    },
  ],
};
const sections: Schema = {
  type: "array",
  items: {
    type: "object",
    properties: {
      name: { type: "string" },
      checks: {
        type: "array",
        items: {
          anyOf: [
            name,
            {
              type: "object",
              properties: { check: name, name: { type: "string" } },
              required: ["check"],
              additionalProperties: false,
            },
          ],
        },
      },
    },
    additionalProperties: false,
  },
};

/** Members that refer to records by their names, or that files may write in other forms than the API. */
const ownForms: Readonly<Partial<Record<SectionName, Readonly<Record<string, Schema>>>>> = {
  schedules: Object.fromEntries(dayNames.map((each) => [each, day])),
  contacts: {
    addresses: {
      description: "Addresses, as a list, or by keys under which they can be referred to",
      anyOf: [
        { type: "array", items: address },
        { type: "object", additionalProperties: address },
      ],
    },
  },
  contactgroups: { members: references("contacts, and `<contact>/<address>`") },
  notificationprofiles: { notifications: recipients },
  checks: {
    type: {
      description: "The type of the check",
      enum: checkTypes.flatMap(({ type }) => [type, type.toLowerCase()]),
    },
    notifications: recipients,
    parameters: {
      type: "object",
      description: "Parameters of the type, which may also stand beside the others",
    },
    ...Object.fromEntries(
      parametersOfTypes().map(({ name: each, description, forms, types }) => [
        each,
        withReference({ ...forms, description: `${description}. For ${types.join(", ")}` }),
      ]),
    ),
  },
  maintenance: { checklist: references("the checks that it pauses") },
  statuspages: { sections },
};

/** The JSON Schema of a configuration in files, for editors. */
export function configurationSchema(): Schema {
  const ofAccount = {
    account: objectOf(accountMembers, { defaultnotifications: recipients }),
    branding: objectOf(brandingMembers, {}),
    ...Object.fromEntries(sectionNames.map((section) => [section, sectionOf(section)])),
  };
  const referred = Object.fromEntries(
    Object.keys(ofAccount).map((each) => [each, { $ref: `#/definitions/${each}` }]),
  );
  const object = {
    type: "object",
    patternProperties: { "^x-": true },
    additionalProperties: false,
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Watchpost configuration",
    description: "What watchpost plan and watchpost apply read; see docs/configuration.md",
    ...object,
    properties: {
      configuration: {
        type: "string",
        pattern: "^[^\\s/]{1,100}$",
        description: "The name under which the installation knows what these files made",
      },
      ...referred,
      subaccounts: {
        type: "object",
        description: "Subaccounts by key",
        additionalProperties: { ...object, properties: referred },
      },
    },
    definitions: ofAccount,
  };
}

function sectionOf(section: SectionName): Schema {
  const { members } = shapes[section];
  const record = objectOf(members, ownForms[section] ?? {});
  return {
    type: ["object", "null"],
    additionalProperties: {
      ...record,
      type: ["object", "null"],
      ...(section === "checks" && { required: ["type"] }),
    },
  };
}

function objectOf(members: Members, own: Readonly<Record<string, Schema>>): Schema {
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(
        Object.entries(members).map(([each, schema]) => [each, memberOf(schema)]),
      ),
      ...own,
    },
    additionalProperties: false,
  };
}

function memberOf(schema: z.ZodType): Schema {
  return withReference(jsonSchemaOf(schema));
}

function withReference({ description, ...forms }: Schema): Schema {
  return {
    ...(description !== undefined && { description }),
    anyOf: [forms, reference, { type: "null" }],
  };
}
