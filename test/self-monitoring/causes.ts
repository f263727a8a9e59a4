import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { root, run, temporaryFolder, type ApiOfAccount } from "../e2e/process.ts";
import { ownDisk, steppedClock } from "../e2e/trouble.ts";
import { shippedConfiguration } from "../harnesses/nats-configuration.ts";
import { command, INSTANCE_KEY } from "../harnesses/remote-locations.ts";
import { dnsPeer, type DnsAnswer } from "../peers/dns.ts";
import { smtpPeer, type SmtpPeer } from "../peers/smtp.ts";
import { closedPort } from "../peers/tcp.ts";
import { webServer } from "../peers/web-server.ts";
import { nats } from "../servers/nats.ts";
import { postgres } from "../servers/postgres.ts";
import { urlOf } from "../stores/postgres-store.ts";
import { waitFor } from "../time/wait-for.ts";
import type { Installation, Surroundings } from "./installation.ts";

export interface Prepared extends Surroundings {
  /** Called once all is well, before it breaks. */
  readonly begin?: (installation: Installation) => Promise<unknown>;
  readonly break: (installation: Installation) => Promise<unknown>;
}

/** Prepares what can break; all of it ends with the stack. */
export type Cause = (stack: AsyncDisposableStack) => Promise<Prepared>;

const MIN_INTERVAL_MINUTES = 0.25;
const CLOCK_STEP_MS = 60_000;
const DISK_MB = 128;

export const causes: Readonly<Record<string, Cause>> = {
  "mail server dead": withMailServer(({ close }) => close()),
  "mail server refuses": withMailServer(({ server }) =>
    server.behave({ refuse: { auth: [535, "authentication failed"] } }),
  ),
  "mail server silent": withMailServer(({ server }) => server.behave({ hang: "connect" })),
  "mail server slow to accept": withMailServer(({ server, failTarget }) => {
    server.behave({ hang: "data" });
    failTarget();
  }),
  "NATS dead": async (stack) => {
    const server = stack.use(await nats());
    return {
      settings: { WATCHPOST_NATS_URL: server.url, WATCHPOST_INSTANCE_KEY: INSTANCE_KEY },
      break: async () => server.signal("SIGKILL"),
    };
  },
  "PostgreSQL dead": async (stack) => {
    const server = stack.use(await postgres());
    return {
      settings: {
        WATCHPOST_DATABASE_URL: urlOf(server, "postgres"),
        WATCHPOST_INSTANCE_KEY: INSTANCE_KEY,
      },
      break: async () => server.signal("SIGKILL"),
    };
  },
  "disk full": async (stack) => {
    const disk = stack.use(await ownDisk(DISK_MB));
    const web = stack.use(await webServer());
    return {
      folder: disk.path,
      settings: { WATCHPOST_DISK_RESERVE_MB: "16" },
      begin: ({ account }) => addCheck(account, web.url),
      break: async () => stack.use(disk.fill()),
    };
  },
  "location gone": locationGone,
  "resolver silent": withResolver("silence"),
  "resolver fails": withResolver("failure"),
  "clock set forward": withClock(CLOCK_STEP_MS),
  "clock set back": withClock(-CLOCK_STEP_MS),
  "process gone": async () => ({ break: ({ program }) => program.kill("SIGKILL") }),
};

async function addCheck(
  account: ApiOfAccount,
  target: string,
  more: object = {},
): Promise<unknown> {
  const { _id: id } = await account.api("POST checks", {
    type: "HTTP",
    target,
    interval: MIN_INTERVAL_MINUTES,
    enabled: true,
    ...more,
  });
  return waitFor(
    "the check is up",
    async () => (await account.api(`GET checks/${id}`)).state === 1,
  );
}

interface MailWorld {
  readonly server: SmtpPeer;
  readonly close: () => Promise<void>;
  /** Has the check fail, so that an alert is due. */
  readonly failTarget: () => void;
}

/** A mail server, and a check that alerts by mail. */
function withMailServer(breakIt: (world: MailWorld) => unknown): Cause {
  return async (stack) => {
    const running = stack.use(new AsyncDisposableStack());
    const server = running.use(await smtpPeer());
    const web = stack.use(await webServer());
    return {
      settings: {
        WATCHPOST_SMTP_URL: server.url.replace("//", "//watchpost:secret@"),
        WATCHPOST_MAIL_FROM: "watch@example.net",
        WATCHPOST_OPERATOR_EMAIL: "operator@example.net",
      },
      async begin({ account }) {
        const contact = await account.api("POST contacts", {
          name: "Ann",
          custrole: "notify",
          newaddresses: [{ address: "ann@example.net", type: "email" }],
        });
        await addCheck(account, web.url, { notifications: [{ [contact._id]: "All" }] });
      },
      break: async () =>
        breakIt({
          server,
          close: () => running.disposeAsync(),
          failTarget: () => void (web.status = 500),
        }),
    };
  };
}

async function locationGone(stack: AsyncDisposableStack): Promise<Prepared> {
  const { path: folder } = stack.use(await temporaryFolder());
  const lines = [
    await command(folder, "nats-user", "create"),
    await command(folder, "location", "create", "ny", "--region", "nam"),
  ];
  const port = await closedPort();
  const broker = stack.use(await nats(await shippedConfiguration(lines), { port }));
  const probe = stack.use(
    run(folder, { WATCHPOST_FILE: "ny.env", WATCHPOST_NATS_URL: broker.url }, [
      join(root, "watchpost"),
      "probe",
    ]),
  );
  return {
    folder,
    settings: {
      WATCHPOST_FILE: "nats.env",
      WATCHPOST_NATS_URL: broker.url,
      WATCHPOST_INSTANCE_KEY: INSTANCE_KEY,
    },
    begin: ({ account }) =>
      waitFor("both locations are live", async () => {
        const { locations } = await account.api("GET info/status");
        return Object.keys(locations).length === 2;
      }),
    break: () => probe.kill("SIGKILL"),
  };
}

let resolvers = 0;

/** A resolver on an address of its own, which only this installation has in `/etc/resolv.conf`. */
function withResolver(manner: DnsAnswer): Cause {
  return async (stack) => {
    resolvers += 1;
    const host = `127.84.${process.pid % 256}.${resolvers}`;
    let isBroken = false;
    const answers: Readonly<Record<string, DnsAnswer>> = {
      "A shop.example": ["127.0.0.1"],
    };
    stack.use(
      await dnsPeer(
        (question) => {
          if (isBroken) return manner;
          return answers[question] ?? (question.endsWith(" shop.example") ? [] : "unknown");
        },
        { host, port: 53 },
      ),
    );
    const { path } = stack.use(await temporaryFolder());
    const file = join(path, "resolv.conf");
    await writeFile(file, `nameserver ${host}\n`);
    const web = stack.use(await webServer());
    const mount = `mount --bind ${file} /etc/resolv.conf && exec "$0" "$@"`;
    return {
      prefix: ["unshare", "--mount", "sh", "-c", mount],
      begin: ({ account }) =>
        addCheck(account, web.url.replace("127.0.0.1", "shop.example"), { threshold: 5 }),
      break: async () => void (isBroken = true),
    };
  };
}

function withClock(byMs: number): Cause {
  return async (stack) => {
    const clock = stack.use(await steppedClock());
    return { settings: clock.environment, break: () => clock.step(byMs) };
  };
}
