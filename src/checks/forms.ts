import { formParameter, type FormParameter } from "../schema/form-parameter.ts";
import type { CheckType } from "./check-type.ts";
import { isSecret } from "./parameters/secrets.ts";
import type { Language } from "../schema/words.ts";

/** The parameters of a type that people set, in the order of the form. Where the help names another parameter, it says the title of that. */
export function formParametersOf(
  { schema, example, assigned }: CheckType,
  language: Language = "en",
): readonly FormParameter[] {
  const parameters = Object.entries(schema.shape)
    .filter(([name]) => !assigned.includes(name))
    .map(([name, parameter]) =>
      formParameter(name, parameter, {
        example: example[name],
        isSecret: isSecret(parameter),
        language,
      }),
    );
  const titles = new Map(parameters.map(({ name, title }) => [name, title]));
  return parameters.map((parameter) => ({
    ...parameter,
    help: parameter.help.replaceAll(/`(\w+)`/g, (_, name: string) =>
      quoted[language](titles.get(name) ?? name),
    ),
  }));
}

const quoted: Readonly<Record<Language, (text: string) => string>> = {
  en: (text) => `“${text}”`,
  de: (text) => `„${text}“`,
};
