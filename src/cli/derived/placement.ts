import {
  resources,
  type Catalogue,
  type CatalogueOperation,
  type CatalogueResource,
} from "../catalogue/catalogue.ts";

/** Position of an API operation on the command line. */
export interface Placement {
  readonly group: string;
  readonly verb: string;
  readonly resource: string;
  /** The key of the operation in its resource. */
  readonly action: string;
  readonly operation: CatalogueOperation;
  /** Parameter that is an argument instead of an option; undefined if there is none. */
  readonly id: IdArgument | undefined;
}

export interface IdArgument {
  readonly name: string;
  readonly need: "required" | "optional" | "several";
  /** Resource whose record it names; undefined if any resource is possible. */
  readonly resource: string | undefined;
}

/** Groups that are called otherwise than their resource. */
const groups: Readonly<Record<string, string>> = {
  accounts: "subaccount",
  contactgroups: "group",
  dependents: "dependents",
  diagnostics: "check",
  heartbeataliases: "heartbeat-alias",
  importedhistories: "imported-history",
  imports: "imported-record",
  info: "location",
  notificationprofiles: "profile",
  results: "check",
  secondfactors: "second-factor",
  statuses: "status",
  statuspages: "status-page",
  tokens: "api-token",
};

const verbs: Readonly<Record<string, string>> = {
  "contacts RESETPASSWORD": "reset-password",
  "diagnostics GET": "diagnostics",
  "info LOCATION": "regions",
  "results GET": "results",
};

/** The resource of the records that the ids of another one are of. */
const idsOf: Readonly<Record<string, string | undefined>> = {
  dependents: undefined,
  diagnostics: "checks",
  heartbeataliases: "checks",
  importedhistories: "checks",
  imports: undefined,
  info: undefined,
  notifications: "checks",
  results: "checks",
  secondfactors: "contacts",
  sessions: "contacts",
  statuses: "checks",
};

/** Operations with a command of their own, and its words. */
export const handWritten: Readonly<Record<string, string>> = {
  "checks POST": "check add",
  "checks ACKNOWLEDGE": "check acknowledge",
  "contacts TEST": "contact test",
  "sessions CURRENT": "whoami",
  "updates GET": "tail",
};

/** One of the two commands of an operation, which shows more than a table can. */
const writtenAnew = new Set(["check show", "contact list"]);

/** The command of every operation that has none of its own. */
export function placements(of: Catalogue["resources"] = resources): readonly Placement[] {
  return Object.entries(of)
    .flatMap(([resource, { ids, operations }]) =>
      Object.entries(operations).flatMap(([action, operation]) =>
        placementsOf({ group: groupOf(resource), ids, resource, action, operation }),
      ),
    )
    .filter(
      ({ group, verb, resource, action }) =>
        !Object.hasOwn(handWritten, `${resource} ${action}`) &&
        !writtenAnew.has(`${group} ${verb}`),
    );
}

export function groupOf(resource: string): string {
  return groups[resource] ?? resource.replace(/s$/, "");
}

/** Returns whether one operation is for one record and for all of them. */
export function isSplit({ response }: CatalogueOperation): boolean {
  return response === "byId" || response === "oneOrById" || response === "oneOrPage";
}

type IdKind = Pick<CatalogueResource, "ids">;
type Placed = Pick<Placement, "group" | "resource" | "action" | "operation">;

function placementsOf({ ids, ...placed }: Placed & IdKind): readonly Placement[] {
  const { resource, action, operation } = placed;
  const verb = verbs[`${resource} ${action}`];
  const id = idOf({ ids, ...placed });
  const isOfMany = isSplit(operation);
  const isRead = action === "GET" || (operation.effect === "read" && verb === undefined);
  // One operation serves both a list of all records and a single one.
  if (isRead && isOfMany && id?.need === "optional" && (action === "GET" || action === "PROBE"))
    return [
      { ...placed, verb: "list", id: undefined },
      { ...placed, verb: "show", id: { ...id, need: "required" } },
    ];
  return [{ ...placed, verb: verb ?? verbOf(placed), id }];
}

const methods: Readonly<Record<string, string>> = { POST: "add", PUT: "edit", DELETE: "delete" };

function verbOf({ action, operation }: Placed): string {
  if (action === "GET") return operation.response === "list" ? "list" : "show";
  return methods[action] ?? action.toLowerCase();
}

function idOf({ ids, resource, action, operation }: Placed & IdKind): IdArgument | undefined {
  const { parameters } = operation;
  const name = ids === "account" ? "customerid" : "id";
  const parameter = parameters[name];
  if (parameter === undefined) return undefined;
  const isRequired = parameter.required || `${resource} ${action}` === "checks PUT";
  // A new record gets its ID from the service, unless its name is the ID.
  if (action === "POST" && !isRequired) return undefined;
  const need = !isRequired ? "optional" : action === "DELETE" ? "several" : "required";
  const of = Object.hasOwn(idsOf, resource) ? idsOf[resource] : resource;
  return { name, need, resource: of };
}
