import { z } from "zod";

import { createApiServer } from "../../src/api/http/server.ts";
import { createApiFixture } from "../api-fixture.ts";
import { createRandom, shuffled } from "../chaos/random.ts";
import { excessiveCost } from "./cost.ts";
import { everyParameter, schemaOf } from "./every-parameter.ts";
import { costlyText } from "./parsers.ts";
import { requestParsers } from "./request-parsers.ts";
import { everyTarget, hostileRequest } from "./requests.ts";
import { openSessions } from "./sessions.ts";
import { targetParsers } from "./target-parsers.ts";
import { hostileValue } from "./values.ts";

export interface Run {
  readonly seed: number;
  /** How many times as much is tried as in the tests. */
  readonly times: number;
}

const TEXTS = 6;
const VALUES = 1;
const REQUESTS = 20;

/** Returns the expensive inputs of parsers; all others were tried and are cheap. */
export async function costlyTexts({ seed, times }: Run): Promise<readonly string[]> {
  await using sessions = await openSessions();
  const found: string[] = [];
  for (const parser of [...requestParsers, ...targetParsers, ...sessions.parsers]) {
    const costly = await costlyText(parser, { seed, texts: TEXTS * times });
    if (costly !== undefined) found.push(costly);
  }
  return found;
}

/** Returns the expensive values of each parameter. */
export async function costlyValues({ seed, times }: Run): Promise<readonly string[]> {
  await using cast = await createApiFixture();
  const random = createRandom(seed);
  const found: string[] = [];
  for (const { path, parameter } of everyParameter(cast)) {
    const { maxLength = 1000 } = schemaOf(parameter);
    for (let tried = 0; tried < VALUES * times; tried += 1) {
      const value = hostileValue(random, maxLength);
      const costly = await excessiveCost(() => z.safeParse(parameter, value));
      if (costly !== undefined) found.push(`${path}: ${shown(value)} ${costly}`);
    }
  }
  return found;
}

/** Returns the expensive requests, each with a hostile value of one parameter. */
export async function costlyRequests({ seed, times }: Run): Promise<readonly string[]> {
  await using cast = await createApiFixture();
  await using app = createApiServer(cast.deps);
  const random = createRandom(seed);
  const targets = await everyTarget(cast);
  const authorization = `Basic ${Buffer.from(`${cast.alice.token}:`).toString("base64")}`;
  const found: string[] = [];
  for (let sent = 0; sent < REQUESTS * times;) {
    for (const target of shuffled(random, targets).slice(0, REQUESTS * times - sent)) {
      sent += 1;
      const { query, contentType, body } = hostileRequest(random, target);
      const costly = await excessiveCost(() =>
        app.inject({
          method: "POST",
          url: `/api/1/${target.resource}?${query}`,
          headers: { authorization, "content-type": contentType },
          body,
        }),
      );
      if (costly !== undefined) found.push(`${target.path}: ${shown(query || body)} ${costly}`);
    }
  }
  return found;
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 200);
}
