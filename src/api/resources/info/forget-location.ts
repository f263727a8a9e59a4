import { z } from "zod";

import { includesAccess } from "../../../domain/account/access.ts";
import { Forbidden, InvalidInput, NotFound } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import type { ResourceDeps } from "../../deps.ts";
import type { Scope } from "../../http/auth.ts";
import { operation, type Operation } from "../../operation.ts";
import { id } from "../identifiers.ts";
import { deletedResponse } from "../responses.ts";
import type { Reads } from "../../../store/store.ts";

type Deps = Pick<ResourceDeps, "store" | "locations" | "forgotLocation">;

export function removeLocation({ store, locations, forgotLocation }: Deps): Operation {
  return operation({
    summary: "Forgets a location on another machine that will not come back",
    needs: "owner",
    effect: "write",
    input: z.object({ id: required(id).describe("The code of the location") }),
    response: deletedResponse,
    async handle({ id }, call) {
      const code = id.toLowerCase();
      const missing = new NotFound(`no such location ${JSON.stringify(id)}`);
      const isLive = locations().some((location) => location.code === code);
      const remembered = await store.locations.list();
      if (!isLive && !remembered.some((location) => location.code === code)) throw missing;
      if (!(await mayForgetLocations(store.accounts, call)))
        throw new Forbidden(
          "only the owner of the first account of this installation may forget a location",
        );
      if (isLive)
        throw new InvalidInput(
          `id: location ${code} is live: stop its probes, and forget it once it is not`,
        );
      call.about(code);
      if (!(await call.write((tx) => tx.locations.forget(code)))) throw missing;
      forgotLocation(code);
      return { ok: true, id: code };
    },
  });
}

/** Locations are those of the whole installation, so that no account but that of its operator may change what is known of them. */
export async function mayForgetLocations(
  accounts: Pick<Reads["accounts"], "listPrimary">,
  { caller, access }: Pick<Scope, "caller" | "access">,
): Promise<boolean> {
  if (!includesAccess(access, "owner")) return false;
  const [first] = await accounts.listPrimary();
  return first?.id === caller.id;
}
