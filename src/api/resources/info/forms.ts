import { z } from "zod";

import { addressForms } from "../../../channels/address-forms.ts";
import { addressKinds, type AddressKind, type Channels } from "../../../channels/registry.ts";
import { serviceFormsIn, serviceGroups, serviceNames } from "../../../channels/service-settings.ts";
import { checkGroups } from "../../../checks/check-type.ts";
import { formParametersOf } from "../../../checks/forms.ts";
import { checkTypes } from "../../../checks/registry.ts";
import {
  formHints,
  formInputs,
  formParameter,
  type FormParameter,
} from "../../../schema/form-parameter.ts";
import type { Language } from "../../../schema/words.ts";
import { operation, type Operation } from "../../operation.ts";
import { checkFields } from "../checks/input.ts";
import { plainAddressEntry } from "../contacts/input.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const parameterAnswer = z
  .object({
    name: z.string(),
    title: z.string(),
    help: z.string(),
    input: z
      .enum(formInputs)
      .describe(
        "How it is entered: `switch` is true or false, `choice` one of `choices`, `password` text that is hidden, `pairs` an object of names to text, `metrics` an object of `{name, min, max}` under any keys",
      ),
    required: z.boolean(),
    advanced: z.boolean().describe("Whether few need it"),
    default: scalar.optional().describe("What stands for it where it is not sent"),
    suggested: scalar.optional().describe("What a new record should begin with"),
    example: z.union([scalar, z.record(z.string(), z.unknown())]).optional(),
    choices: z.array(z.object({ value: z.string(), title: z.string() })).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.int().optional(),
    maxProperties: z.int().optional(),
  })
  .meta({ id: "FormParameter" });

const formsAnswer = z
  .object({
    checks: z
      .array(
        z.object({
          type: z.enum(checkTypes.map(({ type }) => type)),
          title: z.string(),
          group: z.enum(checkGroups),
          summary: z.string(),
          driver: z.enum(["probe", "push"]).describe("`push` where the target reports by itself"),
          target: z.enum(["url", "host", "none"]),
          recognition: z
            .object({
              schemes: z.array(z.string()).optional().describe("Of its URLs, the preferred first"),
              ports: z
                .record(z.string(), z.record(z.string(), z.string()))
                .optional()
                .describe(
                  "Its usual ports, each with the parameters that it implies; where `target` is a URL with its `scheme`",
                ),
              suitsEvery: z
                .enum(["host", "port"])
                .optional()
                .describe("Whether it suits every host or port of which no more is known"),
            })
            .optional()
            .describe("What people enter who mean this type"),
          parameters: z.array(parameterAnswer),
        }),
      )
      .describe("The types of checks, each with its parameters in the order of the form"),
    common: z.array(parameterAnswer).describe("Parameters that checks of every type have"),
    addresses: z
      .array(
        z.object({
          type: z.enum(addressKinds),
          title: z.string(),
          unavailable: z
            .string()
            .optional()
            .describe("Why nothing can be sent to such addresses now; missing where it can"),
          parameters: z.array(parameterAnswer),
        }),
      )
      .describe("The types of the addresses of contacts"),
    services: z
      .array(
        z.object({
          service: z.enum(serviceNames),
          group: z.enum(serviceGroups),
          guide: z
            .string()
            .describe("The page of the service that says where its values are found"),
          parameters: z.array(parameterAnswer).describe("The `settings` of an address"),
        }),
      )
      .describe("The services that addresses of type webhook lead to"),
    suppressions: z.array(parameterAnswer).describe("Parameters that all addresses have"),
  })
  .meta({ id: "Forms" });

/** The parameters that forms begin with; the others of those with hints follow as they are declared. */
const FIRST = ["interval", "threshold", "sens", "recheckwait", "description"];
const common: ReadonlyMap<string, z.ZodType> = new Map(
  [...FIRST, ...Object.keys(checkFields)].flatMap((name) => {
    const field = new Map<string, z.ZodType>(Object.entries(checkFields)).get(name);
    return field !== undefined && formHints.has(field) ? [[name, field] as const] : [];
  }),
);
const SUPPRESSIONS = [
  "suppressdown",
  "suppressup",
  "suppressfirst",
  "suppressdiag",
  "suppressall",
] as const;

export function forms({ channels }: { readonly channels: Channels }): Operation {
  return operation({
    summary: "Returns what forms for checks and for the addresses of contacts are drawn from",
    needs: "view",
    effect: "read",
    input: z.object({}),
    response: formsAnswer,
    async handle() {
      const { services, ...ofChecks } = formsIn("en");
      return {
        ...ofChecks,
        addresses: addressKinds.map((kind) => ({
          type: kind,
          title: addressForms[kind].title,
          unavailable: channels[kind].unavailableReason,
          parameters: addressParameters(kind),
        })),
        services,
        suppressions: SUPPRESSIONS.map((name) => {
          const { help, ...parameter } = formParameter(name, plainAddressEntry.shape[name]);
          return { ...parameter, title: help, help: "" };
        }),
      };
    },
  });
}

/** The forms whose texts are declared in every language of the dashboard. */
export function formsIn(language: Language) {
  return {
    checks: checkTypes.map((checkType) => {
      const { type, title, group, summary, driver, target, recognition } = checkType;
      return {
        type,
        title: title[language],
        group,
        summary: summary[language],
        driver,
        target,
        recognition,
        parameters: formParametersOf(checkType, language),
      };
    }),
    common: [...common].map(([name, field]) => formParameter(name, field, { language })),
    services: serviceFormsIn(language).map(({ name: service, group, guide, fields }) => ({
      service,
      group,
      guide,
      parameters: fields.map((parameter) => ({ ...parameter, advanced: false })),
    })),
  };
}

function addressParameters(kind: AddressKind): readonly FormParameter[] {
  const { address, settings } = addressForms[kind];
  const { shape } = plainAddressEntry;
  const { name, example, ...shown } = { name: "address", ...address };
  return [
    { ...formParameter(name, shape.address, { example }), ...shown, input: "line" },
    ...settings.map((setting) => ({ ...formParameter(setting, shape[setting]), advanced: true })),
  ];
}
