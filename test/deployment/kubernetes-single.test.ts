import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { StatefulSet } from "kubernetes-models/apps/v1";
import { CronJob } from "kubernetes-models/batch/v1";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1";
import { ConfigMap, Namespace, PersistentVolumeClaim, Service } from "kubernetes-models/v1";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

import { systemClock } from "../../src/kit/clock.ts";
import { blocksOf } from "../harnesses/document-blocks.ts";
import { assertSettings, read } from "./files.ts";

const kinds = {
  StatefulSet,
  CronJob,
  Ingress,
  ConfigMap,
  Namespace,
  PersistentVolumeClaim,
  Service,
};

const header = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) }).loose();
// Kubernetes reads version 1.1, where 0440 is octal.
const objects = parseAllDocuments(read("deploy/kubernetes-single.yaml"), { version: "1.1" }).map(
  (document) => header.parse(document.toJS()),
);
const find = (kind: string): unknown => objects.find((object) => object.kind === kind);

const named = z.object({ name: z.string() });
const container = z.object({
  image: z.string(),
  args: z.array(z.string()).default([]),
  envFrom: z.array(z.object({ configMapRef: named })).default([]),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  ports: z.array(z.object({ containerPort: z.number() })).default([]),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal("ALL")]) }),
  }),
});
const claim = z.object({ claimName: z.string() });
const pod = z.object({
  enableServiceLinks: z.literal(false),
  automountServiceAccountToken: z.literal(false),
  securityContext: z.object({
    runAsNonRoot: z.literal(true),
    runAsUser: z.number(),
    seccompProfile: z.object({ type: z.literal("RuntimeDefault") }),
  }),
  affinity: z.unknown().optional(),
  containers: z.tuple([container]),
  volumes: z.array(z.object({ name: z.string(), persistentVolumeClaim: claim.optional() })),
});
const labels = z.record(z.string(), z.string());
const template = z.object({ metadata: z.object({ labels }), spec: pod });
const service = z
  .object({
    spec: z.object({
      replicas: z.literal(1),
      serviceName: z.string(),
      template,
      volumeClaimTemplates: z.tuple([z.object({ metadata: named })]),
    }),
  })
  .parse(find("StatefulSet")).spec;
const backup = z
  .object({ spec: z.object({ jobTemplate: z.object({ spec: z.object({ template }) }) }) })
  .parse(find("CronJob")).spec.jobTemplate.spec.template;

for (const object of objects) {
  test(`Kubernetes takes the ${object.kind} ${object.metadata.name}`, () => {
    const [, Model] = Object.entries(kinds).find(([kind]) => kind === object.kind) ?? [];
    assert.ok(Model !== undefined);
    const { apiVersion, ...rest } = object;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whether it is one is what is asked
    const model = new Model(rest as never);
    assert.equal(model.apiVersion, apiVersion);
    model.validate();
  });
}

test("both pods are the user of the image, with settings that there are and volumes that are mounted", () => {
  const { data } = z.object({ data: labels }).parse(find("ConfigMap"));
  const [, port = ""] = /^EXPOSE (\d+)$/m.exec(read("deploy/Dockerfile")) ?? [];
  const [, user = ""] = /^USER (\d+):/m.exec(read("deploy/Dockerfile")) ?? [];
  const [first] = service.template.spec.containers;
  assert.deepEqual(first.ports, [{ containerPort: Number(port) }]);
  assert.deepEqual(first.envFrom, [{ configMapRef: { name: "watchpost" } }]);
  assertSettings(data);
  for (const { spec } of [service.template, backup]) {
    const [{ image, env, volumeMounts }] = spec.containers;
    assert.equal(spec.securityContext.runAsUser, Number(user));
    assert.equal(image, first.image);
    assertSettings(Object.fromEntries(env.map(({ name, value }) => [name, value])));
    const volumes = new Set(spec.volumes.map(({ name }) => name));
    for (const { metadata } of service.volumeClaimTemplates) volumes.add(metadata.name);
    assert.deepEqual(new Set(volumeMounts.map(({ name }) => name)), volumes);
  }
});

test("the backup reads the volume of the service, on its node, with its data folder and key", () => {
  const [{ metadata: data }] = service.volumeClaimTemplates;
  const claims = backup.spec.volumes.flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName],
  );
  assert.deepEqual(claims, [`${data.name}-${service.serviceName}-0`, "watchpost-backups"]);
  assert.ok(objects.some(({ metadata }) => metadata.name === "watchpost-backups"));
  assert.match(JSON.stringify(backup.spec.affinity), /"matchLabels":\{"app":"watchpost"\}/);
  assert.deepEqual(service.template.metadata.labels, { app: "watchpost" });
  const settingsOf = ({ spec }: z.infer<typeof template>) => spec.containers[0].env;
  assert.deepEqual(settingsOf(backup), settingsOf(service.template));
});

test("the script of the backup keeps what is new, and removes what is old only after a new one", () => {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-cronjob-"));
  try {
    const backups = join(folder, "backups");
    for (const name of ["old", "recent"]) mkdirSync(join(backups, name), { recursive: true });
    const age = (name: string, days: number): void => {
      const at = systemClock.now() / 1000 - days * 86_400;
      utimesSync(join(backups, name), at, at);
    };
    age("old", 20);
    age("recent", 3);
    const program = join(folder, "watchpost");
    const script = (backup.spec.containers[0].args[0] ?? "").replaceAll("/backups", backups);
    const runScript = (stub: string): void => {
      writeFileSync(program, `#!/bin/sh\n${stub}\n`);
      chmodSync(program, 0o755);
      const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
      execFileSync("sh", ["-euc", script], { env });
    };
    assert.throws(() => runScript("exit 1"));
    assert.deepEqual(readdirSync(backups).toSorted(), ["old", "recent"]);
    runScript('test "$1" = backup && mkdir "$2"');
    const [made = "", ...others] = readdirSync(backups).toSorted();
    assert.match(made, /^\d{4}-\d\d-\d\dT\d{4}$/);
    assert.deepEqual(others, ["recent"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the commands of docs/kubernetes.md name what is in the manifest, and files that there are", () => {
  const folder = mkdtempSync(join(tmpdir(), "watchpost-kubectl-"));
  try {
    const calls = join(folder, "calls");
    for (const name of ["kubectl", "docker"]) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${calls}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
    for (const block of blocksOf("docs/kubernetes.md", "sh"))
      execFileSync("sh", ["-euc", block], { cwd: folder, env });
    const said = readFileSync(calls, "utf8");
    for (const [, kind = "", name = ""] of said.matchAll(/(statefulset|cronjob)\/([\w-]+)/g))
      assert.ok(
        objects.some(
          (object) => object.kind.toLowerCase() === kind && object.metadata.name === name,
        ),
        `${kind}/${name}`,
      );
    for (const [, file = ""] of said.matchAll(/(?:--filename|--file) (\S+)/g))
      assert.ok(read(file).length > 0);
    assert.match(said, /create secret generic watchpost --from-file=watchpost\.env/);
    const settings = readFileSync(join(folder, "watchpost.env"), "utf8").matchAll(
      /^(\w+)="?(.*?)"?$/gm,
    );
    assertSettings(Object.fromEntries([...settings].map(([, name, value]) => [name, value])));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
