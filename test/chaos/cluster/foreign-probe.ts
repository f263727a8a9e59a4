import { connect, nkeyAuthenticator } from "@nats-io/transport-node";

import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { messageOf } from "../../../src/kit/errors.ts";

/**
 * A probe with credentials of a location of its own, which wants the jobs of others and answers for them. It prints what it gets; a program of
 * its own, for it runs in the network of a leaf node.
 */
const [server = "", caFile = "", seed = "", location = ""] = process.argv.slice(2);
const OTHERS = ["sg", "ny", "ld"];
const AGAIN_MS = 2000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const connection = await connect({
  servers: server,
  tls: { caFile },
  authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
  maxReconnectAttempts: -1,
  noEcho: true,
});
say("connected");

const beat = JSON.stringify({
  instance: "foreign",
  region: "eao",
  versions: [1],
  generation: 1,
  types: [],
  leaving: false,
});
for (;;) {
  const subjects = [
    "job.>",
    "reply.>",
    ...[location, ...OTHERS].flatMap((other) => [`job.${other}.*`, `reply.${other}.c.>`]),
  ];
  const subscriptions = subjects.map((subject) =>
    connection.subscribe(subject, {
      callback: (error, message) =>
        say(error === null ? `received ${message.subject}` : `refused ${messageOf(error)}`),
    }),
  );
  for (const other of [location, ...OTHERS]) {
    connection.publish(`presence.at.${other}`, beat);
    connection.publish(`reply.${other}.c.any.1`, "an answer");
  }
  await sleep(systemClock, AGAIN_MS);
  for (const subscription of subscriptions) subscription.unsubscribe();
}
