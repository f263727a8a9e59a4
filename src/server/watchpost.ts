import type { Log } from "../kit/log.ts";
import { hashToken } from "../kit/crypto/seal.ts";
import { scheduledBackups } from "./backup/schedule/scheduled-backups.ts";
import type { Config } from "../settings/config.ts";
import { createAdministration } from "./control/administration.ts";
import { serveControlSocket } from "./control/control-socket.ts";
import { createFirstAccount, type FirstAccess } from "./first-account.ts";
import { followClock } from "./health/follow-clock.ts";
import { locationStates } from "./health/location-states.ts";
import {
  runStoreHousekeeping,
  probeWrites,
  waitUnlessStoreHangs,
  waitForMissingFiles,
} from "./health/store-upkeep.ts";
import type { LocationState } from "../domain/location.ts";
import { openProcess, type OpenedProcess } from "./open-process.ts";
import { startApiRole } from "./roles/api.ts";
import { createControllerRole } from "./roles/controller.ts";
import { listenForHealth } from "./roles/listening.ts";
import { createNotifierRole } from "./roles/notifier.ts";
import { createProbeRole, type ProbeRole } from "./roles/probe.ts";
import type { RoleDeps } from "./roles/role.ts";
import type { ServiceCondition } from "./service-manager.ts";
import type { RoleName } from "../settings/role-settings.ts";
import type { StartStep } from "./start-step.ts";

export interface RunningService {
  /** Address at which this process listens, with the assigned port. */
  readonly address: string;
  /** The first account's token, at the very first start only. */
  readonly firstAccess: FirstAccess | undefined;
  readonly condition: ServiceCondition;
  /** Resolves with the reason once the files of the database are gone; the process is to end then. */
  readonly filesGone: Promise<string>;
  /** Stops every role, and resolves when everything acknowledged is on disk; rejects if the disk does not respond. */
  readonly stop: () => Promise<void>;
}

/** Starts the roles of this process. */
export async function startWatchpost(
  config: Config,
  log: Log,
  step: StartStep,
): Promise<RunningService> {
  let isStarting = true;
  const has = (role: RoleName): boolean => config.WATCHPOST_ROLES.includes(role);
  const opened = await openProcess(config, log, {
    scheduledChecks: () => controller?.checkCount() ?? 0,
    probeThreads: () => probe?.readyThreads() ?? 0,
    roles: () => working,
    locations: () => locationsNow(),
    backups: () => backups?.status(),
    isStarting: () => isStarting,
    step,
  });
  const { deps, selfMonitoring, stop } = opened;
  const { store, clock, stopping } = deps;
  const probe = has("probe")
    ? await createProbeRole({ ...deps, ownPort: deps.listener.port })
    : undefined;
  const notifier = has("notifier") ? createNotifierRole(deps) : undefined;
  const controller = has("controller") ? createControllerRole(deps) : undefined;
  const backups = has("controller") ? scheduledBackups(deps) : undefined;
  const locationsNow = (): readonly LocationState[] =>
    locationStates({ own: config.locations, live: deps.bus.presence.live(), probe, controller });
  const working = [probe, notifier, controller].filter((role) => role !== undefined);
  const listening = has("api") ? await startApiRole(deps) : await listenForHealth(deps);

  // A link that is created before a start that fails would never be shown.
  const firstAccess = has("api")
    ? await step(() => firstAccessOf(deps), { isListening: true })
    : undefined;
  const isEmbedded = config.WATCHPOST_DATABASE_URL === undefined;
  const control = isEmbedded ? await serveControl(deps) : undefined;
  isStarting = false;
  const upkeep = { clock, log, signal: stopping };
  const ended = Promise.all([
    ...[...working, listening].map((role) => role.run()),
    // Writers of results need to know the existing days.
    runStoreHousekeeping(store, upkeep),
    probeWrites(store, upkeep),
    // Waiting items in a database server follow its clock, as this process does.
    followClock(
      {
        ...deps,
        store: isEmbedded ? store : undefined,
        stepped: selfMonitoring.clockStepped,
      },
      stopping,
    ),
    selfMonitoring.run(stopping),
    deps.bus.memory?.run(stopping),
    backups?.run(stopping),
  ]);
  opened.started();

  return {
    address: listening.address,
    firstAccess,
    condition: deps.health,
    filesGone: waitForMissingFiles(store, upkeep),
    async stop() {
      stop();
      await waitUnlessStoreHangs(
        ended.then(() => endInOrder(opened, { probe, control })),
        store,
        clock,
      );
    },
  };
}

function serveControl({ config, ...deps }: RoleDeps): ReturnType<typeof serveControlSocket> {
  const compatibility = config.WATCHPOST_COMPATIBILITY;
  const administration = createAdministration({ ...deps, compatibility });
  return serveControlSocket(config.WATCHPOST_DATA, { ...administration, log: deps.log });
}

interface Parts {
  readonly probe: Pick<ProbeRole, "close"> | undefined;
  readonly control: { readonly close: () => Promise<void> } | undefined;
}

async function endInOrder(
  { deps, leave, time, eventLoop, closeTracer }: OpenedProcess,
  { probe, control }: Parts,
): Promise<void> {
  await leave();
  await deps.bus.close();
  await probe?.close();
  deps.delivery.close();
  eventLoop.stop();
  await time.close();
  await deps.store.close();
  await closeTracer?.();
  // Last, for its file is removed in this thread, which must not wait for a disk that hangs.
  await control?.close();
}

/** Creates the first account if there is none, and returns the access of its owner. */
async function firstAccessOf({
  config,
  store,
  ids,
  clock,
  log,
}: RoleDeps): Promise<FirstAccess | undefined> {
  const given = {
    token: config.WATCHPOST_TOKEN,
    ownerEmail: config.WATCHPOST_OWNER_EMAIL,
    timeZone: config.WATCHPOST_TIMEZONE,
    compatibility: config.WATCHPOST_COMPATIBILITY,
  };
  const firstAccess = await createFirstAccount(store, given, { ids, clock });
  if (firstAccess === undefined && given.token !== undefined) {
    const known = await store.accounts.findByToken(hashToken(given.token.reveal()));
    if (known === undefined) log.warn("settings.token_ignored", { setting: "WATCHPOST_TOKEN" });
  }
  return firstAccess;
}
