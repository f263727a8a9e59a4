import { benchApi } from "./api.ts";
import { benchPing } from "./ping.ts";
import { benchProbes } from "./probes.ts";
import { benchPush } from "./push.ts";
import { benchStreams } from "./streams.ts";
import { benchWholeWay } from "./whole-way.ts";

const benches = {
  push: benchPush,
  "whole-way": benchWholeWay,
  api: benchApi,
  streams: benchStreams,
  probes: benchProbes,
  ping: benchPing,
};
const [wanted, rounds = "3"] = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (wanted === undefined || wanted === name)
    process.stdout.write(`${await bench(Number(rounds))}\n\n`);
}
