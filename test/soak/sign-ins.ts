import { request, type IncomingMessage } from "node:http";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { ProcessFinding } from "./judge-process.ts";
import type { Person } from "./primary-accounts.ts";

/** One honest sign-in, by the right password. */
export interface SignInSample {
  /** Whether the browser had signed in before; otherwise its network had sent nothing at all. */
  readonly isKnown: boolean;
  /** Since the attack began. */
  readonly afterMs: number;
  readonly ms: number;
  /** 0 where there was no answer. */
  readonly status: number;
}

/** Below the limit of a mailbox, ten a minute. */
const EVERY_MS = 7000;
const MAX_DURATION_MS = 30_000;
const SIGNED_IN = 200;

/** Signs people in, from a new network each time, once as a known browser and once as a stranger. */
export async function signInAgainAndAgain(
  { base, people }: { readonly base: string; readonly people: readonly Person[] },
  signal: AbortSignal,
): Promise<readonly SignInSample[]> {
  const samples: SignInSample[] = [];
  const began = systemClock.monotonic();
  let networks = 0;
  const signIn = async (person: Person, cookie: string): Promise<string> => {
    const from = systemClock.monotonic();
    networks += 1;
    const localAddress = `127.${230 + (networks % 20)}.${networks % 256}.1`;
    const answer = await post(`${base}/api/1/signin`, { person, cookie, localAddress });
    const { statusCode: status = 0, headers } = answer ?? { headers: {} };
    answer?.resume();
    const now = systemClock.monotonic();
    const isKnown = cookie !== "";
    samples.push({ isKnown, afterMs: from - began, ms: now - from, status });
    const device = headers["set-cookie"]?.find((set) => /-device=/.test(set)) ?? "";
    return device.split(";")[0] || cookie;
  };
  const live = async (person: Person, index: number): Promise<void> => {
    await sleep(systemClock, (index * EVERY_MS) / people.length, signal);
    let known = await signIn(person, "");
    while (!signal.aborted) {
      await sleep(systemClock, EVERY_MS, signal);
      if (signal.aborted) return;
      const [, device] = await Promise.all([signIn(person, ""), signIn(person, known)]);
      known = device;
    }
  };
  await Promise.all(people.map(live));
  return samples;
}

async function post(
  url: string,
  sent: { readonly person: Person; readonly cookie: string; readonly localAddress: string },
): Promise<IncomingMessage | undefined> {
  const { person, cookie, localAddress } = sent;
  const body = JSON.stringify({ email: person.mailbox, password: person.password });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(url, {
    method: "POST",
    localAddress,
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      origin: new URL(url).origin,
      ...(cookie === "" ? {} : { cookie }),
    },
    signal: AbortSignal.timeout(MAX_DURATION_MS),
  })
    .on("response", resolve)
    .on("error", reject)
    .end(body);
  return promise.catch(() => undefined);
}

/** Until each network of a flood has had a first attempt, a newcomer is one of many. */
const FIRST_ATTEMPTS_MS = 60_000;

/** Finds sign-ins that failed or took too long: of known browsers at any time, of strangers after the first minute of an attack. */
export function judgeSignIns(
  samples: readonly SignInSample[],
  limitMs: number,
): readonly ProcessFinding[] {
  return samples
    .filter(({ isKnown, afterMs }) => isKnown || afterMs > FIRST_ATTEMPTS_MS)
    .filter(({ ms, status }) => limitMs < Infinity && (status !== SIGNED_IN || ms > limitMs))
    .map(({ isKnown, ms, status }) => ({
      harm: "slowSignIn" as const,
      about: isKnown ? "a known browser" : "a stranger",
      what: `${status} after ${Math.round(ms)} ms`,
    }));
}

/** A line for each kind of browser. */
export function signInLines(samples: readonly SignInSample[]): readonly string[] {
  return [true, false].map((isKnown) => {
    const own = samples.filter((sample) => sample.isKnown === isKnown);
    const times = own.map(({ ms }) => Math.round(ms)).toSorted((one, other) => one - other);
    const at = (part: number): number => times[Math.floor((times.length - 1) * part)] ?? 0;
    const failed = own.filter(({ status }) => status !== SIGNED_IN);
    const early = failed.filter(({ afterMs }) => afterMs <= FIRST_ATTEMPTS_MS).length;
    return `  sign-ins of ${isKnown ? "known browsers" : "strangers"}: ${own.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms, ${failed.length} failed (${early} in the first minute)`;
  });
}
