import assert from "node:assert/strict";
import process from "node:process";

import type { Container } from "./container.ts";

type Step = readonly [string, () => void | Promise<void>];

/** Lifecycle of the package on a machine, in order; each step continues from the previous one. */
export function debSteps(
  { sh, until }: Pick<Container, "sh" | "until">,
  { version, next }: { readonly version: string; readonly next: string },
): readonly Step[] {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const deb = (of: string): string => `/root/watchpost_${of}_${architecture}.deb`;
  let token = "";
  const command = (line: string): string => sh(`WATCHPOST_TOKEN=${token} watchpost ${line}`);
  const running = (): Promise<string> =>
    until(
      `/usr/lib/watchpost/node_modules/.bin/node -e 'fetch("http://127.0.0.1:4848/readyz").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))'`,
    );
  const isUp = (): Promise<string> =>
    until(`WATCHPOST_TOKEN=${token} watchpost check list | grep -E 'itself.* up|up .*itself'`);
  return [
    [
      "it installs, says where to sign in, and runs",
      async () => {
        assert.match(sh(`dpkg --install ${deb(version)}`), /journalctl --unit watchpost --grep/);
        await running();
        assert.equal(sh("systemctl is-active watchpost").trim(), "active");
        assert.match(
          sh("systemctl show --property StatusText watchpost"),
          /^StatusText=(?:R|Not r)eady/,
        );
        assert.equal(sh("systemctl is-enabled watchpost").trim(), "enabled");
        assert.equal(sh("watchpost --version").trim(), version);
      },
    ],
    [
      "the journal has the link of the first sign-in, and no token",
      async () => {
        assert.match(
          await until("journalctl --unit watchpost --grep main.started --output cat"),
          /http:\/\/127\.0\.0\.1:4848\/\S+/,
        );
        token = sh("WATCHPOST_DATA=/var/lib/watchpost watchpost token create 2>/dev/null").trim();
        assert.notEqual(token, "");
        assert.ok(!sh("journalctl --unit watchpost --output cat").includes(token));
      },
    ],
    [
      "the units are right, and the settings and the data are for no one else",
      () => {
        assert.equal(
          sh(
            "systemd-analyze verify watchpost.service watchpost@api.service watchpost-probe@ny.service 2>&1 | grep watchpost || true",
          ),
          "",
        );
        const owners = sh(
          "stat --format '%a %U %n' /etc/watchpost/watchpost.env /etc/watchpost/locations /var/lib/watchpost",
        );
        assert.equal(
          owners,
          "600 root /etc/watchpost/watchpost.env\n700 root /etc/watchpost/locations\n700 watchpost /var/lib/watchpost\n",
        );
      },
    ],
    [
      "every package that it comes with can be loaded, and all is what was packed",
      () => {
        const names = sh(
          'cd /usr/lib/watchpost && node_modules/.bin/node -p \'Object.keys(require("./package.json").dependencies).join("\\n")\'',
        );
        const there = names.split("\n").filter((name) => name !== "");
        const load = `const { existsSync } = await import("node:fs"); let count = 0; for (const name of ${JSON.stringify(there)}) if (existsSync("node_modules/" + name)) { await import(name); count += 1; } console.log(count);`;
        const count = sh(
          `cd /usr/lib/watchpost && node_modules/.bin/node --input-type=module -e '${load}'`,
        );
        assert.ok(Number(count) > 15, count);
        assert.equal(sh("dpkg --verify watchpost"), "");
      },
    ],
    [
      "a check runs",
      async () => {
        command(
          "check add --type HTTP --target http://127.0.0.1:4848/healthz --label itself --interval 1 --enabled",
        );
        await isUp();
      },
    ],
    [
      "the command line of root knows the data, and backs up",
      () => {
        assert.match(sh("watchpost token list"), /\w/);
        assert.match(sh("watchpost account sign-in"), /http:\/\/127\.0\.0\.1:4848\/start\?link=/);
        sh("watchpost backup /root/backup");
        assert.match(sh("ls /root/backup"), /manifest\.json/);
      },
    ],
    [
      "an upgrade keeps settings and data, and what ran runs again",
      async () => {
        sh("echo WATCHPOST_TOKEN_RATE=11999 >> /etc/watchpost/watchpost.env");
        const before = sh("systemctl show --property MainPID watchpost");
        sh(`dpkg --install ${deb(next)}`);
        await running();
        assert.notEqual(sh("systemctl show --property MainPID watchpost"), before);
        assert.equal(sh("watchpost --version").trim(), next);
        assert.match(sh("cat /etc/watchpost/watchpost.env"), /^WATCHPOST_TOKEN_RATE=11999$/m);
        assert.equal(sh("ls /etc/watchpost/*dpkg* /run/watchpost-upgrade 2>/dev/null || true"), "");
        await isUp();
      },
    ],
    [
      "what was stopped stays stopped",
      async () => {
        sh("systemctl stop watchpost");
        sh(`dpkg --install ${deb(next)}`);
        assert.equal(sh("systemctl is-active watchpost || true").trim(), "inactive");
        sh("systemctl start watchpost");
        await running();
      },
    ],
    [
      "removed, it leaves settings and data, with which it comes back",
      async () => {
        sh("dpkg --remove watchpost");
        assert.equal(sh("systemctl is-active watchpost || true").trim(), "inactive");
        assert.match(sh("ls /var/lib/watchpost"), /watchpost\.db/);
        assert.match(sh("cat /etc/watchpost/watchpost.env"), /^WATCHPOST_TOKEN_RATE=11999$/m);
        sh(`dpkg --install ${deb(next)}`);
        await running();
        await isUp();
      },
    ],
    [
      "purged, it leaves nothing but the journal and what root made",
      () => {
        sh("dpkg --purge watchpost");
        const left = sh(
          "find / -xdev -name '*watchpost*' -not -path '/proc/*' -not -path '/root/*' -not -path '/tmp/*'",
        );
        assert.equal(left, "");
        assert.equal(sh("getent passwd watchpost || true"), "");
        assert.equal(sh("systemctl list-unit-files 'watchpost*' --no-legend || true"), "");
      },
    ],
  ];
}
