import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { Attacker } from "./attack.ts";
import { createClient, type Answer, type Client, type Request } from "./client.ts";
import type { Intrusion } from "./intrusion.ts";

const LOOK_MS = 500;
const MAX_DURATION_MS = 60_000;
const ROUND_MS = 250;
/** Matches the proof of a signed link. */
const PROOF = /proof=([\w-]{43})/g;

/** Secrets sent to alert receivers and targets, never shown to read-only users. */
const secrets = {
  query: "queryOfTheTarget7f3a",
  header: "headerOfTheTarget91c4",
  body: "bodyForTheTarget2b8e",
  webhook: "pathOfTheWebhook44d0",
  key: "keyInTheWebhook6e1b",
};

interface Planted {
  readonly checks: readonly string[];
  /** Each operation and page that shows what was planted. */
  readonly paths: readonly string[];
  /** URL of the page linked in an alert. */
  readonly page: string;
}

/** One who reads: a person, or a program with a token. */
type Ask = (request: Request) => Promise<Answer>;

/** Reads an account by a read-only token, as a contact that only views, and by the page in an alert, and uses the links it finds. */
export async function readEverything(attacker: Attacker): Promise<Intrusion> {
  const { base, victim } = attacker;
  const by = (token: string, last: number): Client =>
    createClient({ base, token, localAddress: `127.42.0.${last}`, isKept: false });
  const owner = by(victim.tokens[0] ?? "", 1);
  const planted = await plant(attacker, owner);
  const { token } = await owner.api("POST tokens", { label: "reads", access: "read" });
  const browser = by("", 2);
  const { mailbox, password } = victim.viewer;
  const body = { email: mailbox, password };
  const { cookie } = await browser.send({ method: "POST", path: "/api/1/signin", body });
  const program = by(token, 3);
  const readers: readonly Ask[] = [program.send, (request) => browser.send({ ...request, cookie })];
  return async (signal) => {
    const tried = { reads: 0, "acknowledgements asked for": 0 };
    const shown = { refusals: 0, "audit lines of acknowledgements": 0 };
    const seen = { secrets: new Set<string>(), capabilities: new Set<string>() };
    for (let round = 0; round === 0 || !signal.aborted; round += 1) {
      for (const ask of readers) {
        const found = await readAll(ask, planted);
        tried.reads += found.reads;
        for (const secret of found.secrets) seen.secrets.add(secret);
        for (const proof of found.proofs) seen.capabilities.add(proof);
        for (const request of waysToAcknowledge(planted, found.links)) {
          const { status } = await ask(request);
          if (status > 0) tried["acknowledgements asked for"] += 1;
          if (status >= 400) shown.refusals += 1;
        }
      }
      await sleep(systemClock, ROUND_MS, signal);
    }
    const records = await Promise.all(planted.checks.map((id) => owner.api(`GET checks/${id}`)));
    shown["audit lines of acknowledgements"] = await acknowledgeByLink(owner, planted);
    return {
      name: "reader",
      tried,
      shown,
      gained: {
        capabilities: seen.capabilities.size,
        secrets: seen.secrets.size,
        acknowledgements: records.filter(({ acknowledged }) => acknowledged !== undefined).length,
      },
    };
  };
}

/** Uses a link as its receiver does, who is in the audit log then. */
async function acknowledgeByLink(owner: Client, planted: Planted): Promise<number> {
  const { links } = await readAll(owner.send, planted);
  for (const path of links) await owner.send({ method: "POST", path, form: { by: "Receiver" } });
  const lines: readonly { readonly operation: string; readonly name: string }[] =
    await owner.api("GET audit?by=link");
  return lines.filter(
    ({ operation, name }) => operation === "ACKNOWLEDGE checks" && name === "Alerted (webhook)",
  ).length;
}

interface Found {
  readonly reads: number;
  readonly secrets: ReadonlySet<string>;
  readonly proofs: ReadonlySet<string>;
  readonly links: readonly string[];
}

/** Reads all that there is, but for the proof of its own link. */
async function readAll(ask: Ask, { paths, page }: Planted): Promise<Found> {
  const answers = await Promise.all(paths.map((path) => ask({ path })));
  const read = answers.filter(({ status }) => status === 200);
  const own = new URLSearchParams(page.split("?")[1]).get("proof");
  const text = read
    .map(({ body }) => body.replaceAll(String.raw`\u0026`, "&").replaceAll("&amp;", "&"))
    .join("\n");
  const proofs = [...text.matchAll(PROOF)].map(([, proof = ""]) => proof);
  return {
    reads: read.length,
    secrets: new Set(Object.values(secrets).filter((secret) => text.includes(secret))),
    proofs: new Set(proofs.filter((proof) => proof !== own)),
    links: [...text.matchAll(/\/acknowledge\?[^\s"'<>\\]+/g)].map(([link]) => link),
  };
}

function waysToAcknowledge(
  { checks, page }: Planted,
  links: readonly string[],
): readonly Request[] {
  // The proof of a page proves nothing to another.
  const forged = page.replace(/^\/check\?/, "/acknowledge?");
  const method = "POST";
  return [
    ...checks.map((id) => ({ method, path: `/api/1/checks/acknowledge/${id}`, body: {} })),
    ...[page, forged, ...links].map((path) => ({ method, path, form: { by: "Reader" } })),
  ];
}

/** Creates failing checks whose alerts contain secrets and links, all visible to the owner. */
async function plant({ victim, targets }: Attacker, owner: Client): Promise<Planted> {
  const web = `http://127.0.0.1:${targets.web}`;
  const { _id: contact } = await owner.api("POST contacts", {
    name: "Alerted",
    custrole: "notify",
    newaddresses: [
      // Our own message, in which there are links.
      { type: "webhook", address: `${web}/ambiguous-json/${secrets.webhook}` },
      { type: "webhook", address: `${web}/ambiguous-json/other`, data: { plain: secrets.key } },
    ],
  });
  const common = { enabled: true, sens: 0, interval: 1, notifications: [{ [contact]: "All" }] };
  const made = [
    await owner.api("POST checks", {
      ...common,
      type: "HTTPADV",
      method: "POST",
      target: `${web}/ambiguous-json?page=${secrets.query}`,
      sendheaders: { "X-Plain": secrets.header },
      postdata: secrets.body,
      contentstring: "never",
    }),
    await owner.api("POST checks", {
      ...common,
      type: "PUSH",
      interval: 60,
      fields: { load: { name: "load", min: 0, max: 1 } },
    }),
  ];
  const checks = made.map(({ _id }) => String(_id));
  // Whatever the first check does, this one goes down.
  const [, pushed] = made;
  const beat = new URLSearchParams({ id: pushed._id, checktoken: pushed.parameters.checktoken });
  for (const load of [0, 2])
    await owner.send({ method: "POST", path: `/v1?${beat.toString()}`, body: { data: { load } } });
  const paths = [
    "notifications",
    "notifications?dropped=true",
    "checks",
    "contacts",
    "audit",
    "accounts",
    "tokens",
    "statuses/overview",
    "calendar",
    "branding",
    "subscribers",
    "configurations",
    "statuspages",
    ...checks.flatMap((id) => [`checks/${id}`, `results/${id}`, `results/${id}?limit=20`]),
  ].map((path) => `/api/1/${path}`);
  const end = systemClock.monotonic() + MAX_DURATION_MS;
  for (;;) {
    const { body } = await owner.send({ path: "/api/1/notifications" });
    const page = /\/check\?[^\s"'<>\\]+/.exec(body.replaceAll("&amp;", "&"))?.[0] ?? "";
    const planted = { checks, page, paths: page === "" ? paths : [page, ...paths] };
    const found = await readAll(owner.send, planted);
    const missing = Object.values(secrets).filter((secret) => !found.secrets.has(secret));
    if (missing.length === 0 && found.links.length > 1 && page !== "") return planted;
    if (systemClock.monotonic() > end)
      throw new Error(
        `the owner of ${victim.id} sees ${found.links.length} links, the page ${page}, and not ${missing.join()}: ${body.slice(0, 2000)}`,
      );
    await sleep(systemClock, LOOK_MS);
  }
}
