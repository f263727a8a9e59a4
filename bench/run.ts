import { benchApi } from "./api.ts";
import { benchPush } from "./push.ts";
import { benchStreams } from "./streams.ts";
import { benchWholeWay } from "./whole-way.ts";

const benches = {
  push: benchPush,
  "whole-way": benchWholeWay,
  api: benchApi,
  streams: benchStreams,
};
const [wanted, rounds = "3"] = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (wanted === undefined || wanted === name)
    process.stdout.write(`${await bench(Number(rounds))}\n\n`);
}
