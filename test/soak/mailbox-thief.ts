import { TOTP } from "otpauth";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import { networksFrom, type Attacker } from "./attack.ts";
import { createClient, type Answer, type Client, type Request } from "./client.ts";
import type { Intrusion } from "./intrusion.ts";
import { mailedLink } from "./mailed-link.ts";

const SIGNED_IN = 200;
const CHOSEN = "the password of a thief";
const ROUND_MS = 2000;
const NETWORKS = 20;

/** Reads the mailbox of a person with a second factor and a session, and tries to choose the password by the links that come. */
export async function stealMailbox(attacker: Attacker): Promise<Intrusion> {
  const { base, victim, mails } = attacker;
  const from = (localAddress: string): Client =>
    createClient({ base, token: "", localAddress, isKept: false });
  const owner = from("127.40.0.1");
  const session = await enrol(owner, victim.person);
  const thieves = networksFrom(41, NETWORKS).map(from);
  return async (signal) => {
    const tried = { links: 0, "forms with a wrong proof": 0, "sessions looked at": 0 };
    const shown = { refusals: 0, "failures in the audit log": 0 };
    const gained = { "passwords changed": 0, "sessions ended": 0, "thieves signed in": 0 };
    for (let round = 0; round === 0 || !signal.aborted; round += 1) {
      const thief = thieves[round % thieves.length] ?? owner;
      const seen = mails().length;
      const { mailbox } = victim.person;
      const body = { email: mailbox };
      await thief.send({ method: "POST", path: "/api/1/signin/forgot", body });
      const mailed = await mailedLink(mails, { mailbox, path: "/start", seen });
      if (mailed === undefined) continue;
      const link = new URLSearchParams(mailed.split("?")[1]).get("link");
      tried.links += 1;
      for (const proof of proofs) {
        const { status, cookie } = await thief.send({
          method: "POST",
          path: "/api/1/signin/start",
          body: { link, password: CHOSEN, ...proof },
        });
        if (status > 0) tried["forms with a wrong proof"] += 1;
        if (status >= 400) shown.refusals += 1;
        if (status === SIGNED_IN || /-session=/.test(cookie)) gained["thieves signed in"] += 1;
      }
      await sleep(systemClock, ROUND_MS, signal);
    }
    const { status } = await answered(owner, { path: "/api/1/checks", cookie: session });
    tried["sessions looked at"] += 1;
    if (status !== 200) gained["sessions ended"] += 1;
    // The password is followed by the second factor.
    const old = await answered(owner, signInAs(victim.person));
    if (!/"pending":/.test(old.body)) gained["passwords changed"] += 1;
    shown["failures in the audit log"] = await countedFailures(owner, session);
    return { name: "mailbox", tried, shown, gained };
  };
}

/** How many failed attempts the audit log counts, in one line of an hour. */
async function countedFailures(owner: Client, cookie: string): Promise<number> {
  const { body } = await answered(owner, { path: "/api/1/audit?by=stranger", cookie });
  const lines: readonly { readonly operation: string; readonly fields: readonly string[] }[] =
    JSON.parse(body);
  return lines
    .filter(({ operation }) => operation === "POST failed sign-ins")
    .reduce((sum, { fields: [times = ""] }) => sum + Number(/\d+/.exec(times)?.[0] ?? 0), 0);
}

/** Substitutes for a second factor. */
const proofs = [
  {},
  { code: "" },
  { code: "000000" },
  { code: "aaaaa-bbbbb" },
  { credential: "{}" },
] as const;

function signInAs({ mailbox, password }: Attacker["victim"]["person"]): Request {
  return { method: "POST", path: "/api/1/signin", body: { email: mailbox, password } };
}

/** Sets up an authenticator app, and gives the cookie of the session. */
async function enrol(client: Client, person: Attacker["victim"]["person"]): Promise<string> {
  const { cookie } = await client.send(signInAs(person));
  const act = (step: string, body: object): Promise<Answer> =>
    client.send({ method: "POST", path: `/api/1/signin/${step}`, cookie, body });
  const begun = await act("app", { password: person.password });
  const { secret } = JSON.parse(begun.body);
  const confirmed = await act("confirmapp", { code: new TOTP({ secret }).generate() });
  if (confirmed.status !== 200)
    throw new Error(`no second factor: ${confirmed.status} ${confirmed.body.slice(0, 500)}`);
  return cookie;
}

const AGAIN_MS = 1000;
const ATTEMPTS = 60;

/** Asks again where the program is too busy, or the client has asked too much. */
async function answered(client: Client, request: Request): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await client.send(request);
    const isBusy = answer.status === 0 || answer.status === 429 || answer.status === 503;
    if (!isBusy || attempt === ATTEMPTS) return answer;
    await sleep(systemClock, AGAIN_MS);
  }
}
