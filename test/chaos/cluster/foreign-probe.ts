import { connect, nkeyAuthenticator } from "@nats-io/transport-node";

import { parseLocationKey } from "../../../src/bus/location-key.ts";
import { sealBeat } from "../../../src/bus/nats/messages.ts";
import { regions } from "../../../src/domain/location.ts";
import { sleep, systemClock } from "../../../src/kit/clock.ts";
import { createSealer } from "../../../src/kit/crypto/seal.ts";
import { messageOf } from "../../../src/kit/errors.ts";

/**
 * A hostile probe with the credentials of a location of its own. It subscribes to the jobs and replies of other locations, sends presence
 * messages and replies in their names, and floods the presence of its own location. It prints what it receives and how much it sent. A
 * program of its own, because one of them runs in the network of a leaf node.
 */
const [server = "", caFile = "", seed = "", keyText = "", location = ""] = process.argv.slice(2);
const OTHERS = ["sg", "ny", "ld"];
const ROUND_MS = 100;
/** More in ten seconds than a location may send, so that it is cut off again and again. */
const MESSAGES_OF_ROUND = 30;
const ROUNDS_OF_SUBSCRIPTION = 20;
const JUNK = Buffer.alloc(2000, "junk");

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const own = parseLocationKey(keyText);
const sealer = createSealer(own.key);
const connection = await connect({
  servers: server,
  tls: { caFile },
  authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
  maxReconnectAttempts: -1,
  noEcho: true,
});
say("connected");

const claimed = regions.filter((region) => region !== own.region);
/** Beats that name no type of check, so that it takes no runs from honest locations by right. */
const beatAt = (at: string, no: number, key = { ...own }): Uint8Array =>
  sealBeat({ instance: `foreign ${no}`, versions: [1], types: [], leaving: false }, at, {
    key,
    sealer,
  });
const attacks: readonly ((no: number) => Uint8Array | string)[] = [
  (no) => beatAt(location, no),
  () => JUNK,
  (no) => beatAt(location, no, { ...own, region: claimed[no % claimed.length] }),
  (no) => beatAt(location, no, { ...own, generation: own.generation + 1 }),
  (no) => JSON.stringify({ instance: `${no}`, region: "eao", versions: [1], types: [] }),
];

let sent = 0;
const publish = (subject: string, data: Uint8Array | string): void => {
  connection.publish(subject, data);
  sent += 1;
};
const subscribeToOthers = () =>
  ["job.>", "reply.>", ...OTHERS.flatMap((other) => [`job.${other}.*`, `reply.${other}.c.>`])].map(
    (subject) =>
      connection.subscribe(subject, {
        callback: (error, message) =>
          say(error === null ? `received ${message.subject}` : `refused ${messageOf(error)}`),
      }),
  );

for (;;) {
  const subscriptions = subscribeToOthers();
  for (const other of [location, ...OTHERS]) {
    publish(`presence.at.${other}`, beatAt(other, sent));
    publish(`reply.${other}.c.any.1`, "an answer");
  }
  for (let round = 0; round < ROUNDS_OF_SUBSCRIPTION; round += 1) {
    for (let no = 0; no < MESSAGES_OF_ROUND; no += 1)
      publish(`presence.at.${location}`, attacks[sent % attacks.length]?.(sent) ?? "");
    await sleep(systemClock, ROUND_MS);
  }
  for (const subscription of subscriptions) subscription.unsubscribe();
  say(`sent ${sent}`);
}
