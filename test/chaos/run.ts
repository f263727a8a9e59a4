import { restartInSandbox, isInSandbox } from "../e2e/sandbox.ts";
import { runStorm } from "./storm.ts";

/** `npm run chaos -- [checks] [heartbeats to each] [seed]`: a long storm, whose seed brings the same one back. */
const [checks = "1000", beats = "10", seed = String(Math.floor(Math.random() * 2 ** 32))] =
  process.argv.slice(2);

if (isInSandbox) {
  const minutes = (Number(beats) * 12.5) / 60;
  const storm = {
    seed: Number(seed),
    checks: Number(checks),
    beats: Number(beats),
    kills: Math.ceil(6 * minutes),
    floods: Math.ceil(minutes),
  };
  process.stdout.write(`${JSON.stringify(storm)}\n`);
  process.stdout.write(`${JSON.stringify(await runStorm(storm))}\n`);
} else process.exitCode = await restartInSandbox([import.meta.filename, checks, beats, seed]);
