import { attackingProcess } from "./attacking/attacking-process.ts";
import type { Attack, Attacker } from "./attack.ts";
import { createClient, type Client } from "./client.ts";
import { atRate, type FloodReport } from "./attacking/floods.ts";
import type { SentFlood } from "./attacking/attacker.ts";
import type { Haul } from "./intrusion.ts";
import type { PrimaryAccount } from "./primary-accounts.ts";

interface Wanted {
  readonly attacks: readonly Attack[];
  readonly scale: number;
  readonly rate: number;
  readonly say: (what: string) => void;
  readonly base: string;
  /** Account of the tokens. */
  readonly account: PrimaryAccount;
  readonly victim: PrimaryAccount;
  readonly locations: Attacker["locations"];
  readonly mails: Attacker["mails"];
}

/** Attacks that have made all they need, in processes of their own. */
export interface PreparedAttack extends AsyncDisposable {
  readonly pids: readonly number[];
  /** Begins all floods. */
  readonly begin: () => void;
  /** Does what follows from answers until the signal aborts. */
  readonly intrude: (signal: AbortSignal) => Promise<readonly Haul[]>;
  /** Ends all, and gives what the floods met. */
  readonly end: () => Promise<readonly FloodReport[]>;
}

/** Has each attack make what it needs while nothing floods: under attack that takes most of the time that there is. */
export async function prepareAttack(wanted: Wanted): Promise<PreparedAttack> {
  const { attacks, rate, say, base, account } = wanted;
  await using stack = new AsyncDisposableStack();
  const targets = stack.use(attackingProcess());
  const floods = stack.use(attackingProcess());
  const clients = account.tokens.map((token, index) =>
    stack.use(createClient({ base, token, localAddress: `127.0.2.${index + 1}`, isKept: true })),
  );
  const attacker: Attacker = {
    ...wanted,
    client: inTurn(clients),
    token: account.tokens[0] ?? "",
    account: account.id,
    targets: await targets.listen(),
    port: Number(new URL(base).port),
  };
  const prepare = async (some: readonly Attack[]): Promise<readonly (readonly SentFlood[])[]> =>
    Promise.all(
      some.map(async ({ name, what, begin }) => {
        const orders = await begin(attacker);
        say(`${name}: ${what}`);
        return orders;
      }),
    );
  const intrusions = await Promise.all(
    attacks.flatMap(({ intrude }) => (intrude === undefined ? [] : [intrude(attacker)])),
  );
  const first = await prepare(attacks.filter(({ attacksAtOnce }) => attacksAtOnce !== true));
  const last = await prepare(attacks.filter(({ attacksAtOnce }) => attacksAtOnce === true));
  const orders = [...first, ...last].flat().map((order) => atRate(order, rate));
  const kept = stack.move();
  return {
    pids: [targets.pid, floods.pid],
    begin: () => floods.flood(orders, attacker.port),
    intrude: (signal) => Promise.all(intrusions.map((intrude) => intrude(signal))),
    end: floods.stop,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** One client that is each of these by turns. */
function inTurn(clients: readonly Client[]): Pick<Client, "send" | "api"> {
  let calls = 0;
  const next = (): Client => {
    const client = clients[calls % clients.length];
    calls += 1;
    if (client === undefined) throw new Error("the account has no token");
    return client;
  };
  return {
    send: (request) => next().send(request),
    api: (call, parameters) => next().api(call, parameters),
  };
}
