import type { Client } from "./client.ts";
import type { ReceivedMail } from "../peers/smtp.ts";
import type { Flood } from "./attacking/floods.ts";
import type { MessageFlood } from "./attacking/messages.ts";
import type { HostilePorts } from "./hostile-targets.ts";
import type { Intrusion } from "./intrusion.ts";
import type { HostileLocations } from "./locations.ts";
import type { PrimaryAccount } from "./primary-accounts.ts";

/** Resources of an attacker: client addresses, targets, and a token of an account. */
export interface Attacker {
  readonly client: Pick<Client, "send" | "api">;
  readonly token: string;
  readonly account: string;
  readonly targets: HostilePorts;
  /** Where the program listens. */
  readonly base: string;
  readonly port: number;
  /** An account that the attacker reaches in part: by who only reads there, or by the mailbox of its owner. */
  readonly victim: PrimaryAccount;
  /** Undefined where the program runs all checks itself. */
  readonly locations: HostileLocations | undefined;
  /** Mails sent by the program so far. */
  readonly mails: () => readonly ReceivedMail[];
  /** Factor for the number of things; 1 is the full attack. */
  readonly scale: number;
  /** Receives what it was not allowed to do. */
  readonly say: (what: string) => void;
}

export interface Attack {
  readonly name: string;
  /** Description of the attack with its rates. */
  readonly what: string;
  /** Whether what it makes attacks at once: others make what they need before. */
  readonly attacksAtOnce?: true;
  /** Whether there have to be locations on other machines. */
  readonly needsLocations?: true;
  /** Makes what it needs, and gives what is to be flooded with. */
  readonly begin: (attacker: Attacker) => Promise<readonly (Flood | MessageFlood)[]>;
  /** Prepares requests that follow from answers. They are few, and come from the process of the soak. */
  readonly intrude?: (attacker: Attacker) => Promise<Intrusion>;
}

/** Client addresses that are nobody else's: all of 127.0.0.0/8 is this machine. */
export function addressesOf(network: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `127.${network}.0.${index + 1}`);
}

/** Returns client addresses in as many networks, no two within one /24. */
export function networksFrom(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `127.${first + (index % 128)}.${index}.1`);
}

export function scaled({ scale }: Pick<Attacker, "scale">, count: number): number {
  return Math.max(1, Math.round(scale * count));
}

export function authorizationOf({ token }: Pick<Attacker, "token">): string {
  return `Authorization: Basic ${btoa(`${token}:`)}`;
}
