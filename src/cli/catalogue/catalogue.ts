import { readFileSync } from "node:fs";

/** How the value of a parameter is written among arguments. */
export type ParameterKind = "flag" | "list" | "text";

export interface CatalogueParameter {
  readonly about: string;
  readonly kind: ParameterKind;
  readonly required: boolean;
  /** Possible values, separated by spaces; empty if they cannot be listed. */
  readonly choices: string;
}

/** Form of the response: one record, records by ID, either, one or a page of a list, or a list. */
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
  /** Operations by HTTP method, or by the name of an action. */
  readonly operations: Readonly<Record<string, CatalogueOperation>>;
}

export interface CatalogueCheckType {
  readonly summary: string;
  /** Parameters by name; `assigned` are set by the service. */
  readonly parameters: Readonly<
    Record<string, { readonly about: string; readonly assigned: boolean }>
  >;
}

export interface Catalogue {
  readonly resources: Readonly<Record<string, CatalogueResource>>;
  readonly checkTypes: Readonly<Record<string, CatalogueCheckType>>;
}

/**
 * Operations of the API in this version. Generated from the operations (`scripts/catalogue.ts`), because loading these with all their dependencies takes longer
 * than most commands.
 */
export const { resources, checkTypes }: Catalogue = JSON.parse(
  readFileSync(new URL("catalogue.json", import.meta.url), "utf8"),
);
