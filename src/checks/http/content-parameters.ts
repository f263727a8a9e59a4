import { formHints } from "../../schema/form-parameter.ts";
import { flag } from "../../schema/parameter.ts";
import { contentString, invert } from "../parameters/parameters.ts";

/** The parameters of a search in the response body. */
export const content = {
  contentstring: contentString,
  regex: flag("Reads `contentstring` as a regular expression").register(formHints, {
    title: { en: "The text is a regular expression", de: "Der Text ist ein regulärer Ausdruck" },
    help: { en: "In the notation of JavaScript", de: "In der Schreibweise von JavaScript" },
  }),
  invert,
};

export function hasPattern({
  contentstring,
  regex,
}: {
  readonly contentstring: string | undefined;
  readonly regex: boolean;
}): boolean {
  if (!regex || contentstring === undefined) return true;
  try {
    RegExp(contentstring);
    return true;
  } catch {
    return false;
  }
}

export const noPattern = {
  path: ["contentstring"],
  error: "must be a regular expression where regex is set",
};
