import { z } from "zod";

import { handleOf } from "../../domain/account/token.ts";
import { hasSessionEnded, type Session } from "../../domain/account/session.ts";
import { NotFound } from "../../kit/errors.ts";
import { flag } from "../../schema/scalars.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import { operation, type Operation, type Resource } from "../operation.ts";
import { customerid, id } from "./identifiers.ts";
import { ownContactOf } from "./own-contact.ts";
import { deletedResponse } from "./responses.ts";
import { getCurrentSession } from "./current-session.ts";

const sessionResponse = z
  .object({
    session: z.string().describe("Its handle, which gives no access"),
    current: z.boolean().describe("Whether it is the one that sent the request"),
    created: z.int().describe("ms since 1970"),
    used: z.int().describe("When it was last used, to some minutes"),
    ends: z.int().describe("When it ends at the latest"),
    from: z.string().describe("The address of the client that signed in"),
    agent: z.string().describe("The program that signed in, as it called itself"),
  })
  .meta({ id: "Session" });

const contactId = id.describe("The id of the contact; the one that is signed in if missing");

type Deps = Pick<ResourceDeps, "store" | "clock" | "sessionIdleMs">;

export function sessions(deps: Deps): Resource {
  return {
    name: "sessions",
    ids: "record",
    summary: "The browsers in which a contact is signed in",
    operations: {
      GET: getSessions(deps),
      DELETE: endSessions(deps),
      CURRENT: getCurrentSession(deps),
    },
  };
}

function getSessions({ store, clock, sessionIdleMs: idleMs }: Deps): Operation {
  return operation({
    summary: "Lists the sessions of a contact, the newest first; those of others only to an owner",
    needs: "view",
    effect: "read",
    input: z.object({ id: contactId, customerid }),
    response: z.array(sessionResponse),
    async handle({ id }, call) {
      const contact = await ownContactOf(store, call, { id, what: "sessions" });
      const now = clock.now();
      return (await store.sessions.listOf(call.account.id, contact))
        .filter((session) => !hasSessionEnded(session, { now, idleMs }))
        .map((session) => toResponse(session, call));
    },
  });
}

function endSessions({ store }: Deps): Operation {
  return operation({
    summary: "Ends sessions of a contact, all of them unless it says which",
    needs: "view",
    effect: "write",
    input: z.object({
      id: contactId,
      customerid,
      session: id.describe("The handle of the only one to end"),
      others: flag.describe("true keeps the session that sends the request"),
    }),
    response: deletedResponse,
    async handle({ id, session: handle, others = false }, call) {
      const contact = await ownContactOf(store, call, { id, what: "sessions" });
      call.about(contact);
      await call.write(async (tx) => {
        const all = await tx.sessions.listOf(call.account.id, contact);
        const ended = all.filter(
          (session) =>
            (handle === undefined || handleOf(session) === handle) &&
            !(others && handleOf(session) === call.actor.id),
        );
        if (handle !== undefined && ended.length === 0)
          throw new NotFound("Unable to find that session");
        for (const { digest } of ended) await tx.sessions.remove(digest);
      });
      return { ok: true, id: contact };
    },
  });
}

function toResponse(session: Session, { actor }: Call): z.infer<typeof sessionResponse> {
  const handle = handleOf(session);
  return {
    session: handle,
    current: actor.kind === "session" && handle === actor.id,
    created: session.createdAt,
    used: session.usedAt,
    ends: session.endsAt,
    from: session.client,
    agent: session.agent,
  };
}
