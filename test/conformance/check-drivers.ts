import type { TestResponse, Person } from "../api-fixture.ts";
import type { HttpPeer } from "../peers/http.ts";
import type { ConformanceFixture } from "./fixture.ts";

type Values = Readonly<Record<string, unknown>>;

/** A check that the test drives by heartbeats. */
export interface PushedCheck {
  readonly id: string;
  /** Query that identifies it to the heartbeat endpoint. */
  readonly query: string;
  /** Sends a heartbeat, with metrics where they are given. */
  readonly heartbeat: (data?: object) => Promise<TestResponse>;
}

/** Parameters of a check that passes while its load is from 0 to 1. */
export const loadField = { fields: { load: { name: "load", min: 0, max: 1 } } };
export const healthyData = { load: 0.5 };
export const failingData = { load: 2 };

/** An enabled PUSH check, of Alice's unless there is another owner. */
export async function pushedCheck(
  { ask, push, alice }: ConformanceFixture,
  parameters: Values = {},
  owner: Person = alice,
): Promise<PushedCheck> {
  const { body: check } = await ask(owner, "POST /checks", {
    type: "PUSH",
    enabled: true,
    ...parameters,
  });
  const query = `id=${check._id}&checktoken=${check.parameters.checktoken}`;
  return {
    id: check._id,
    query,
    heartbeat: (data) => push(query, data && jsonBody({ data })),
  };
}

export function jsonBody(value: object): RequestInit {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

/** The id of an enabled HTTP check of Alice's that nothing rechecks unless `parameters` say so. */
export async function probedCheck(
  { ask, alice }: ConformanceFixture,
  target: HttpPeer,
  parameters: Values = {},
): Promise<string> {
  const { body } = await ask(alice, "POST /checks", {
    type: "HTTP",
    target: target.url,
    interval: 1,
    sens: 0,
    enabled: true,
    ...parameters,
  });
  return body._id;
}

/** Lets time pass until a check of Alice's is passing (1) or failing (0), and gives its record with its last result. */
export function waitForState({ ask, alice, until }: ConformanceFixture, id: string, state: 0 | 1) {
  return until(`check ${id} in state ${state}`, async () => {
    const { body } = await ask(alice, `GET /checks/${id}`, { lastresult: true });
    return body.state === state && body;
  });
}

/** Advances time until Alice's check has this many alerts and none is in flight, and returns them, oldest first. */
export function waitForAlerts({ ask, alice, until }: ConformanceFixture, id: string, count = 1) {
  return until(`${count} alerts about ${id}`, async () => {
    const { body } = await ask(alice, `GET /notifications/${id}`, { dropped: true });
    const isOver = body.every(({ status }: { status: string }) => status !== "waiting");
    return body.length === count && isOver && body.toReversed();
  });
}
