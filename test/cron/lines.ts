/** Actions of a job in one run. */
export interface Job {
  readonly exit: number;
  readonly seconds: number;
  readonly output: string;
  /** Its whole line dies with it, as of a machine without memory. */
  readonly kills?: true;
}

/** Report of a line about a finished run. */
export interface Report {
  readonly passed: boolean;
  readonly message: string;
  /** The run time in ms, where the line itself sends it; `run` is that of the job, from its start. */
  readonly runtime?: number | "run" | "own";
  readonly evidence?: string;
}

/** A line of a crontab, as users of healthchecks and Uptime Kuma write them. `$URL` is the address of its check, `backup` its job. */
export interface Line {
  readonly cron: string;
  readonly command: string;
  /** Parameters of the check besides the cron expression. */
  readonly check: Readonly<Record<string, unknown>>;
  /** Whether what is between loses every third request. */
  readonly isFlaky?: true;
  readonly job?: (run: number) => Partial<Job>;
  /** Runs, by their number, that never start: the machine is off. */
  readonly off?: readonly number[];
  /** Whether it reports when a run begins. */
  readonly starts?: true;
  readonly distinguishesRuns?: true;
  readonly report: (job: Job) => Report | undefined;
}

const curl = "curl -fsS -m 10 --retry 5";
const received = "Heartbeat received";
const reportedFailure = "The sender reported a failure";
const isEvery = (runs: number, run: number): boolean => run % runs === runs - 1;

const success: Report = { passed: true, message: received };
const failure: Report = { passed: false, message: reportedFailure };
const ifPassed = ({ exit }: Job): Report | undefined => (exit === 0 ? success : undefined);
const either = ({ exit }: Job): Report => (exit === 0 ? success : failure);
const byExit = ({ exit }: Job): Report =>
  exit === 0 ? success : { passed: false, message: `The exit code was ${exit}` };
const up = (message = "OK"): Report => ({ passed: true, message, runtime: 0 });
const withOutput = (job: Job): Report => ({
  ...byExit(job),
  ...(job.output !== "" && { evidence: job.output }),
});
const timed = (job: Job): Report => ({ ...byExit(job), runtime: "run" });

const grace2 = { grace: 2 };

export const healthchecksLines: readonly Line[] = [
  {
    cron: "*/5 * * * *",
    command: `backup && ${curl} -o /dev/null $URL`,
    check: grace2,
    job: (run) => ({ exit: isEvery(3, run) ? 1 : 0 }),
    report: ifPassed,
  },
  {
    cron: "*/5 * * * *",
    command: `backup; ${curl} $URL/$?`,
    check: grace2,
    job: (run) => ({ exit: isEvery(2, run) ? 3 : 0, seconds: 20 }),
    report: byExit,
  },
  {
    cron: "*/2 * * * *",
    command: `backup && ${curl} $URL || ${curl} $URL/fail`,
    check: grace2,
    job: (run) => ({ exit: isEvery(4, run) ? 2 : 0 }),
    report: either,
  },
  {
    cron: "*/5 * * * *",
    command: `m=$(backup 2>&1); ${curl} --data-raw "$m" $URL/$?`,
    check: grace2,
    job: (run) => ({ exit: isEvery(2, run) ? 4 : 0, output: `run ${run}: 7 files\nin 3 folders` }),
    report: withOutput,
  },
  {
    cron: "*/5 * * * *",
    command: `${curl} -o /dev/null $URL/start; backup; ${curl} -o /dev/null $URL/$?`,
    check: { grace: 4 },
    starts: true,
    job: (run) => ({ exit: isEvery(3, run) ? 1 : 0, seconds: 30 + 5 * run }),
    report: timed,
  },
  {
    // Runs beyond its next start.
    cron: "*/2 * * * *",
    command:
      'rid=$(cat /proc/sys/kernel/random/uuid); curl -fsS "$URL/start?rid=$rid"; backup; curl -fsS "$URL/$??rid=$rid"',
    check: { grace: 3, maxruntime: 5 },
    starts: true,
    distinguishesRuns: true,
    job: () => ({ seconds: 150 }),
    report: timed,
  },
  {
    // It hangs, and ends long after that was noticed.
    cron: "*/5 * * * *",
    command: `${curl} -o /dev/null $URL/start && backup && ${curl} -o /dev/null $URL`,
    check: { grace: 1, maxruntime: 2 },
    starts: true,
    job: (run) => ({ seconds: isEvery(2, run) ? 200 : 60 }),
    report: timed,
  },
  {
    // It is killed with its line.
    cron: "*/5 * * * *",
    command: `${curl} -o /dev/null $URL/start; backup; ${curl} -o /dev/null $URL/$?`,
    check: { grace: 2, maxruntime: 2 },
    starts: true,
    job: (run) => ({ seconds: 10, ...(isEvery(2, run) && { kills: true }) }),
    report: timed,
  },
  {
    cron: "*/3 * * * *",
    command: "wget $URL -T 10 -t 10 -O /dev/null",
    check: grace2,
    off: [2, 3, 8],
    report: ifPassed,
  },
  {
    cron: "*/5 * * * *",
    command: 'backup > log; wget -q -O- --post-file=log "$URL/$?"',
    check: grace2,
    job: (run) => ({ exit: isEvery(4, run) ? 255 : 0, output: "sent 12 MB" }),
    report: withOutput,
  },
  {
    cron: "*/5 * * * *",
    command: "backup | curl -fsS -T - $URL",
    check: grace2,
    job: () => ({ output: "to a pipe" }),
    report: (job) => ({ ...success, evidence: job.output }),
  },
  {
    cron: "*/4 * * * *",
    command: `backup && ${curl} -o /dev/null $URL`,
    check: grace2,
    isFlaky: true,
    report: ifPassed,
  },
  {
    cron: "*/4 * * * *",
    command: "wget --retry-on-http-error=503 --waitretry=1 -t 5 -q -O /dev/null $URL",
    check: grace2,
    isFlaky: true,
    report: ifPassed,
  },
  {
    cron: "*/10 * * * *",
    command: "WATCHPOST_HEARTBEAT_URL=$URL watchpost run -- backup",
    check: { grace: 3 },
    starts: true,
    job: (run) => ({ exit: isEvery(2, run) ? 5 : 0, output: "of the job" }),
    // Duration by the job's own clock.
    report: (job) => ({ ...withOutput(job), runtime: "own" }),
  },
  {
    cron: "*/5 * * * *",
    command: "if backup; then curl -fsS -I $URL >/dev/null; else curl -fsS -X PUT $URL/fail; fi",
    check: { interval: 5, grace: 2 },
    job: (run) => ({ exit: isEvery(5, run) ? 9 : 0 }),
    off: [3],
    report: either,
  },
];

export const uptimeKumaLines: readonly Line[] = [
  {
    cron: "* * * * *",
    command: `curl -fsS --retry 3 "$URL?status=up&msg=OK&ping=" > /dev/null`,
    check: { interval: 1, grace: 1.5 },
    off: [5, 6, 7, 30, 31, 32, 33],
    report: () => up(),
  },
  {
    cron: "*/2 * * * *",
    command: `backup && curl -fsS "$URL?status=up&msg=OK&ping=" || curl -fsS "$URL?status=down&msg=backup+failed&ping="`,
    check: grace2,
    job: (run) => ({ exit: isEvery(3, run) ? 1 : 0 }),
    report: ({ exit }) =>
      exit === 0 ? up() : { passed: false, message: "backup failed", runtime: 0 },
  },
  {
    cron: "*/5 * * * *",
    command: `backup; [ $? -eq 0 ] && s=up || s=down; wget -q --spider "$URL?status=$s&msg=exit%20of%20backup&ping=1250"`,
    check: grace2,
    job: (run) => ({ exit: isEvery(2, run) ? 7 : 0 }),
    report: ({ exit }) => ({ passed: exit === 0, message: "exit of backup", runtime: 1250 }),
  },
  {
    cron: "*/2 * * * *",
    command: `curl -fsS -m 5 "$URL?status=up&msg=$(backup | tr ' ' '+')&ping=12.6ms"`,
    check: grace2,
    job: (run) => ({ output: `run ${run} of cron` }),
    report: ({ output }) => ({ ...up(output), runtime: 13 }),
  },
  {
    cron: "*/3 * * * *",
    command: `curl -fsS -X POST "$OLD" -H 'content-type: application/json' -d "{\\"data\\":{\\"load\\":$(backup)}}"`,
    check: { ...grace2, fields: { load: { name: "load", min: 0, max: 4 } } },
    job: (run) => ({ output: String(run % 6) }),
    report: ({ output }) =>
      Number(output) > 4
        ? {
            passed: false,
            message: `load:${output} (max 4)`,
            evidence: `{"data":{"load":${output}}}`,
          }
        : { passed: true, message: "All fields within parameters" },
  },
];
