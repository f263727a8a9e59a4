import { readFileSync } from "node:fs";

/** How the value of a parameter is written among arguments. */
export type ParameterKind = "flag" | "list" | "text";

export interface CatalogueParameter {
  readonly about: string;
  readonly kind: ParameterKind;
  readonly required: boolean;
  /** The values that there are, divided by spaces; empty where they cannot be counted. */
  readonly choices: string;
}

/** What the response is: one record, records by their ids, one or the other, one or a page of a list, or a list. */
export type ResponseForm = "one" | "byId" | "oneOrById" | "oneOrPage" | "list";

export interface CatalogueOperation {
  readonly summary: string;
  readonly effect: "read" | "write";
  readonly response: ResponseForm;
  /** Whether it also takes the parameters of check types. */
  readonly takesParam: boolean;
  readonly parameters: Readonly<Record<string, CatalogueParameter>>;
}

export interface CatalogueResource {
  readonly summary: string;
  readonly ids: "account" | "record" | "name";
  /** By HTTP method, or by the name of an action. */
  readonly operations: Readonly<Record<string, CatalogueOperation>>;
}

export interface CatalogueCheckType {
  readonly summary: string;
  /** By name; `assigned` are those that the service sets. */
  readonly parameters: Readonly<
    Record<string, { readonly about: string; readonly assigned: boolean }>
  >;
}

export interface Catalogue {
  readonly resources: Readonly<Record<string, CatalogueResource>>;
  readonly checkTypes: Readonly<Record<string, CatalogueCheckType>>;
}

/**
 * What the API has, as of this version. It is generated from the operations themselves (`scripts/catalogue.ts`), because to load
 * these with all that they need takes longer than most commands.
 */
export const { resources, checkTypes }: Catalogue = JSON.parse(
  readFileSync(new URL("catalogue.json", import.meta.url), "utf8"),
);
