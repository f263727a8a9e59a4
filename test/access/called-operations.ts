import type { Access } from "../../src/domain/account/access.ts";
import type { Operation } from "../../src/api/operation.ts";
import { createResources } from "../../src/api/registry.ts";
import { createApiFixture, type TestResponse } from "../api-fixture.ts";
import { idOf, kindsOf } from "../stores/account-fixture.ts";
import type { FuzzServer } from "../fuzz/fuzz-server.ts";

/** An operation as somebody calls it on a record of their own account. */
export interface CalledOperation extends Pick<Operation, "needs" | "effect"> {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly kind: string;
  readonly sends: object;
}

const methods = ["GET", "POST", "PUT", "DELETE"] as const;
/** Bodies of operations without an example. */
const othersSent: Readonly<Record<string, object>> = { "ACKNOWLEDGE checks": { by: "Ann" } };

/** Subjects of operations that are not records of an account. */
const named: Readonly<Record<string, string>> = { "FORGET info": "ny" };

await using fixture = await createApiFixture();

export const calledOperations: readonly CalledOperation[] = createResources(fixture.deps).flatMap(
  (resource) =>
    Object.entries(resource.operations).map(([action, { needs, effect, example }]) => {
      const name = `${action} ${resource.name}`;
      const method = methods.find((each) => each === action);
      return {
        name,
        needs,
        effect,
        method: method ?? (effect === "write" ? "POST" : "GET"),
        path: `/api/1/${resource.name}${method === undefined ? `/${action.toLowerCase()}` : ""}`,
        kind: kindsOf(resource.name)[0] ?? "",
        sends: { ...example, ...othersSent[name] },
      };
    }),
);

/** Credentials of a caller; by default the operation is about Alice's record. */
export interface CalledBy {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: string;
}

/** Calls an operation on a record of Alice's, with what shows who calls. */
export function callAsAlice(
  site: FuzzServer,
  { name, method, path, kind, sends }: CalledOperation,
  { token, headers = {}, id = named[name] ?? idOf(site.records().alice, kind) }: CalledBy,
): Promise<TestResponse> {
  const isOwnAccount = kind === "account" && name !== "POST accounts";
  return site.inject({
    method,
    url: path,
    headers: { "content-type": "application/json", ...headers },
    payload: {
      ...sends,
      ...(isOwnAccount ? { customerid: id } : { id }),
      ...(token === undefined ? {} : { token }),
    },
  });
}

export function refusalOf(access: Access, needed: Access): object {
  return { error: `not allowed with access to ${access}: it needs ${needed}` };
}
