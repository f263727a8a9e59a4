import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";

import { resources } from "../../../src/cli/catalogue/catalogue.ts";
import { groupOf } from "../../../src/cli/derived/placement.ts";
import { remoteCommandLine } from "../../command-line.ts";
import { portOf } from "../../peers/tcp.ts";
import { waitFor } from "../../time/wait-for.ts";
import {
  root,
  run,
  start,
  temporaryFolder,
  type Folder,
  type RunningInstallation,
} from "../process.ts";

const program = join(root, "watchpost");
const document = readFileSync(join(root, "docs/command-line.md"), "utf8");

interface Example {
  /** The arguments of `add`. */
  readonly add: readonly string[];
  /** Arguments of a change; missing if it cannot be changed. */
  readonly edit?: readonly string[];
  /** How it is named then. */
  readonly name: string;
  /** Text in its list, if different from the name. */
  readonly listed?: string;
}

const named = (...rest: readonly string[]): Example => ({
  add: ["--name", "First", ...rest],
  edit: ["--name", "Renamed"],
  name: "Renamed",
});

const subaccount = ["--contactname", "Ann", "--email", "ann@example.com", "--location", "eur"];
const weekly = ["--cron", "30 2 * * 0", "--duration", "60", "--checklist", "Kept"];

/** Examples of each resource with records. */
const examples: Readonly<Record<string, Example>> = {
  accounts: named(...subaccount, "--timezone", "Europe/Berlin"),
  checks: {
    add: ["--type", "PUSH", "--label", "Nightly"],
    edit: ["--label", "Renamed"],
    name: "Renamed",
  },
  configurations: { add: ["--name", "shop"], name: "shop" },
  contactgroups: named(),
  contacts: named("--custrole", "notify"),
  heartbeataliases: {
    add: ["Kept", "--address", "https://kuma.example.com/api/push/tIgDC7WDq2"],
    name: "Kept",
    listed: "uptime-kuma",
  },
  importedhistories: {
    add: ["Kept", "--origin", "gatus", "--known", '[{"start":1700000000000,"end":1700000060000}]'],
    name: "Kept",
    listed: "gatus",
  },
  incidents: {
    add: ["--name", "Slow", "--stage", "investigating"],
    edit: ["--stage", "resolved", "--text", "Over"],
    name: "Slow",
  },
  maintenance: named(...weekly),
  notificationprofiles: named(),
  schedules: {
    add: ["Office", "--data", '{"monday":{"allday":true}}'],
    edit: ["--data", '{"tuesday":{"allday":true}}'],
    name: "Office",
  },
  statuspages: named(),
  subscribers: {
    add: ["--page", "Kept page", "--kind", "webhook", "--address", "https://example.com/status"],
    name: "https://example.com/status",
  },
  tokens: { add: ["--label", "graphs", "--access", "read"], name: "graphs" },
};

suite("the command line and a service", () => {
  const ending = new AsyncDisposableStack();
  let folder: Folder;
  let site: RunningInstallation;
  before(async () => {
    folder = ending.use(await temporaryFolder());
    site = ending.use(await start(folder.path));
  });
  after(() => ending.disposeAsync());

  const settings = () => ({ WATCHPOST_URL: site.base, WATCHPOST_TOKEN: site.token });
  const shell = async (
    script: string,
    interpreter: readonly string[] = ["bash", "-c"],
  ): Promise<string> => {
    await using ran = run(folder.path, { ...settings(), watchpost: program }, [
      ...interpreter,
      script,
    ]);
    const code = await ran.ended;
    assert.equal(code, 0, `${script}\n${ran.output()}\n${ran.log()}`);
    return ran.output();
  };

  test("every resource is added to, listed, shown, changed and deleted", async () => {
    const made = Object.entries(resources).filter(
      ([, { operations }]) => "POST" in operations && "DELETE" in operations && "GET" in operations,
    );
    const withRecords = made.filter(([, { operations }]) => operations.GET?.response !== "one");
    await site.api("POST checks", { type: "PUSH", label: "Kept" });
    await site.api("POST statuspages", { name: "Kept page" });
    const command = remoteCommandLine({ url: site.base, token: site.token });
    const done = async (line: string, ...more: readonly string[]): Promise<string> => {
      const { code, out, err } = await command(line, ...more);
      assert.equal(code, 0, `${line} ${more.join(" ")}: ${err}`);
      return out;
    };
    for (const [resource] of withRecords) {
      const example = examples[resource];
      assert.ok(example, `say above what is added of ${resource}`);
      const group = groupOf(resource);
      const { add, edit, name, listed = name } = example;
      const [id = ""] = (await done(`${group} add`, ...add)).split("\n");
      if (edit !== undefined) await done(`${group} edit`, id, ...edit);
      assert.ok((await done(`${group} list`)).includes(listed), `${group} list`);
      assert.ok((await done(`${group} show`, name)).length > 10, `${group} show`);
      await done(`${group} delete`, name, "--yes");
      assert.ok(!(await done(`${group} list --json`)).includes(`"${listed}"`), `${group} delete`);
    }
  });

  test("the examples of its document run, one after the other", async () => {
    const [, section = ""] = document.split("\n## Records\n");
    const [, shown = ""] = /```sh\n(.*?)```/s.exec(section) ?? [];
    assert.ok(shown.split("./watchpost ").length > 15);
    const script = shown.replaceAll("./watchpost", program);
    const out = await shell(`set -euo pipefail\n${script}`);
    assert.match(out, /^state +\w/m);
  });

  test("tail shows checks going up and down as it happens, as lines of JSON too", async () => {
    const fields = { size: { name: "size", min: 1 } };
    const push = { type: "PUSH", enabled: true, fields };
    const rises = await site.api("POST checks", { ...push, label: "Rises" });
    const falls = await site.api("POST checks", { ...push, label: "Falls" });
    await using people = run(folder.path, settings(), [program, "tail", "--all"]);
    await using programs = run(folder.path, settings(), [
      program,
      "tail",
      "Falls",
      "--all",
      "--json",
    ]);
    await waitFor(
      "the first lines",
      () => people.output().includes("Falls") && programs.output() !== "",
    );
    assert.equal(await site.push(rises._id, rises.parameters.checktoken, { size: 5 }), 200);
    assert.equal(await site.push(falls._id, falls.parameters.checktoken, { size: 0 }), 200);
    await waitFor("the flips", () =>
      [/ {2}up +Rises/, / {2}down +Falls/].every((line) => line.test(people.output())),
    );
    await waitFor("its line of JSON", () => programs.output().includes('"status":"down"'));
    for (const line of programs.output().trim().split("\n"))
      assert.equal(JSON.parse(line).id, falls._id);
    assert.deepEqual([people.log(), programs.log()], ["", ""]);
  });

  test("tail shows why a check is down, and the runs that were asked for", async () => {
    const refused = { type: "PORT", target: "127.0.0.1", port: 1, sens: 0, interval: 1440 };
    const { _id: id } = await site.api("POST checks", { ...refused, label: "Gate" });
    await using people = run(folder.path, settings(), [program, "tail", "--all"]);
    await using programs = run(folder.path, settings(), [program, "tail", "--all", "--json"]);
    await waitFor("the first lines", () =>
      [people, programs].every((each) => each.output().includes("Gate")),
    );
    await site.api("PUT checks", { id, enabled: true });
    await waitFor("its outage", () => / {2}down +Gate {2}Connection refused/.test(people.output()));
    await site.api("POST checks/run", { id });
    await waitFor("its run", () =>
      / {2}run +Gate {2}\d+ ms {2}failed: Connection refused/.test(people.output()),
    );
    await waitFor("its line of JSON", () => programs.output().includes('"passed":false'));
    const lines = programs
      .output()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.match(
      lines.find((each) => each.id === id && each.status === "down").reason,
      /^Connection refused/,
    );
    assert.deepEqual(lines.find(({ passed }) => passed === false).id, id);
  });

  test("tail ends where it is refused or nothing answers, and says why a connection is lost", async () => {
    for (const [changed, words] of [
      [{ WATCHPOST_TOKEN: "nobody-knows-this-token" }, /^Token not found: log in with /],
      [{ WATCHPOST_URL: "http://127.0.0.1:2" }, /^cannot reach .*: nothing listens there, /],
    ] as const) {
      await using tail = run(folder.path, { ...settings(), ...changed }, [program, "tail"]);
      assert.equal(await tail.ended, 1);
      assert.match(tail.log(), words);
    }
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
      response.end("id: 1\n\n");
      server.close();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const lost = { WATCHPOST_URL: `http://127.0.0.1:${portOf(server)}` };
    await using tail = run(folder.path, { ...settings(), ...lost }, [program, "tail"]);
    await waitFor("the reason", () =>
      /^The connection is lost: nothing listens there, .*\. Watchpost tries again in \d+ s\.$/m.test(
        tail.log(),
      ),
    );
  });

  test("lists are filtered, answers are tables, and what fails or is unknown says why and ends with 1", async () => {
    const command = remoteCommandLine({ url: site.base, token: site.token });
    const lines = async (line: string): Promise<readonly string[]> =>
      (await command(line)).out.trim().split("\n");
    const refused = { type: "PORT", target: "127.0.0.1", port: 1, sens: 0, enabled: true };
    const { _id: id } = await site.api("POST checks", {
      ...refused,
      label: "Till",
      tags: ["till"],
    });
    await site.api("POST checks", { type: "PUSH", label: "Spare", tags: ["till", "spare"] });
    await waitFor("its outage", async () =>
      (await command("check list --state down")).out.includes("Till"),
    );
    for (const [line, labels] of [
      ["check list --tag till", ["Spare", "Till"]],
      ["check list --tag till,spare", ["Spare"]],
      ["check list --tag till --type port", ["Till"]],
      ["status list --tag till --state down", ["Till"]],
      ["status list --tag till --state up,paused", ["Spare"]],
    ] as const) {
      const records: object[] = Object.values(JSON.parse((await command(`${line} --json`)).out));
      assert.deepEqual(new Set(records.map((each) => Object(each).label)), new Set(labels), line);
      assert.equal((await lines(line)).length, labels.length + 1, line);
    }
    assert.match(
      (await command("check list --state dwon")).err,
      /there is no state "dwon"; did you mean down\?/,
    );
    assert.deepEqual(await command("check list --tag tll,spare"), {
      code: 0,
      out: "",
      err: 'nothing in this list has the tag "tll"; did you mean "till"?\n',
    });
    for (const line of [
      "status activity",
      "status overview",
      `status runtimes ${id}`,
      `check history ${id}`,
      `check days ${id}`,
      `check summary ${id}`,
      "location status",
      "location forms",
    ]) {
      const { code, out, err } = await command(line);
      assert.deepEqual([code, err], [0, ""], line);
      assert.match(out, /^[A-Z]/, line);
      assert.doesNotMatch(out, /[[{]"/, line);
    }
    assert.match(
      (await command("status overview")).out,
      /^\S+ \S+ GMT +Till +PORT +127\.0\.0\.1 +Connection refused/m,
    );
    const failing = await command("check test --type PORT --target 127.0.0.1 --param port=1");
    assert.deepEqual([failing.code, failing.err], [1, ""]);
    assert.match(failing.out, /^outcome +failed: Connection refused.*\nreason +refused$/m);
    assert.equal((await command(`check test --type HTTP --target ${site.base}/readyz`)).code, 0);
    for (const line of ["show", "results", "alerts", "history", "disable", "acknowledge", "run"])
      assert.deepEqual(await command(`check ${line} Til`), {
        code: 1,
        out: "",
        err: 'there is no check "Til"; did you mean "Till"?\n',
      });
    const other = id.replace(/.$/, id.endsWith("A") ? "B" : "A");
    assert.match(
      (await command(`check show ${other}`)).err,
      new RegExp(`^there is no check "${other}"; did you mean .*"${id}"`),
    );
    assert.match(
      (await command("schedule show Dyas")).err,
      /^there is no schedule "Dyas"; did you mean "Days"\?/,
    );
  });

  test("bash, zsh and fish complete commands and labels", async () => {
    await site.api("POST checks", { type: "PUSH", label: "Wéb site" });
    // Without a locale bash shows the bytes of a label rather than its letters.
    const bash = `LC_ALL=C.UTF-8; source <($watchpost completion bash)
      COMP_WORDS=($watchpost check show W); COMP_CWORD=3; _watchpost; printf '%s\\n' "\${COMPREPLY[@]}"
      COMP_WORDS=($watchpost chec); COMP_CWORD=1; _watchpost; printf '%s\\n' "\${COMPREPLY[@]}"`;
    assert.equal(await shell(bash), "Wéb\\ site\ncheck\n");
    const zsh = `compdef() { :; }; _describe() { print -rl -- "\${(@)candidates}"; }
      source <($watchpost completion zsh)
      words=($watchpost check show W); CURRENT=4; _watchpost`;
    assert.match(await shell(zsh, ["zsh", "-fc"]), /^Wéb site:\d{12}/);
    const fish = `$watchpost completion fish | source; complete -c "$watchpost" -f -a '(__watchpost_complete)'
      complete -C "$watchpost check show W"`;
    assert.match(await shell(fish, ["fish", "--no-config", "-c"]), /^Wéb\\? site\t\d{12}/);
  });

  test("doctor finds a service that is well, and what is wrong with settings", async () => {
    const { host } = new URL(site.base);
    const doctor = async (egress: string) => {
      const its = { WATCHPOST_LISTEN: host, WATCHPOST_EGRESS: egress };
      await using ran = run(folder.path, its, [program, "doctor", "--json"]);
      return { status: await ran.ended, stdout: ran.output(), stderr: ran.log() };
    };
    const well = await doctor("private");
    const states = new Map(
      well.stdout
        .trim()
        .split("\n")
        .map((line): [string, string] => {
          const { name, state } = JSON.parse(line);
          return [name, state];
        }),
    );
    assert.deepEqual(
      ["settings", "data folder", "service"].map((name) => states.get(name)),
      ["green", "green", "green"],
    );
    const wrong = await doctor("planted");
    assert.equal(wrong.status, 1);
    assert.match(wrong.stdout, /"name":"settings","state":"red"/);
    assert.equal(wrong.stderr, "1 thing does not work\n");
  });
});
