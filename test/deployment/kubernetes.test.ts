import assert from "node:assert/strict";
import { test } from "node:test";

import { Deployment } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Namespace, Service } from "kubernetes-models/v1";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

import { assertSettings, read } from "./files.ts";

const text = read("deploy/kubernetes.yaml");
const header = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) }).loose();
// Kubernetes reads version 1.1, where 0440 is octal.
const objects = parseAllDocuments(text, { version: "1.1" }).map((document) =>
  header.parse(document.toJS()),
);

const kinds = { Deployment, PodDisruptionBudget, ConfigMap, Namespace, Service };

const named = z.object({ name: z.string() });
const container = z.object({
  image: z.string(),
  args: z.array(z.string()).default([]),
  envFrom: z.array(z.object({ configMapRef: named })),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  readinessProbe: z.unknown().optional(),
  livenessProbe: z.unknown().optional(),
  startupProbe: z.unknown().optional(),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal("ALL")]) }),
  }),
});
const volume = z.object({
  name: z.string(),
  secret: z.object({ secretName: z.string(), defaultMode: z.literal(0o440) }).optional(),
  configMap: named.optional(),
});
const labels = z.record(z.string(), z.string());
const deployment = z.object({
  metadata: named,
  spec: z.object({
    replicas: z.number().min(2),
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.object({
        // Variables such as WATCHPOST_PORT would be refused as unknown settings.
        enableServiceLinks: z.literal(false),
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.number(),
        topologySpreadConstraints: z.array(z.unknown()).length(1),
        securityContext: z.object({
          runAsNonRoot: z.literal(true),
          runAsUser: z.number(),
          seccompProfile: z.object({ type: z.literal("RuntimeDefault") }),
        }),
        containers: z.tuple([container]),
        volumes: z.array(volume),
      }),
    }),
  }),
});
const deployments = objects
  .filter(({ kind }) => kind === "Deployment")
  .map((one) => deployment.parse(one));
const pods = deployments.map(({ metadata: { name }, spec: { template } }) => {
  const [first] = template.spec.containers;
  return { name, labels: template.metadata.labels, ...template.spec, container: first };
});

for (const object of objects) {
  test(`Kubernetes takes the ${object.kind} ${object.metadata.name}`, () => {
    const [, Model] = Object.entries(kinds).find(([kind]) => kind === object.kind) ?? [];
    assert.ok(Model !== undefined);
    const { apiVersion, ...rest } = object;
    const model = new Model(rest);
    assert.equal(model.apiVersion, apiVersion);
    model.validate();
  });
}

test("a value of another type, and an object without what it needs, is found", () => {
  for (const broken of [{ replicas: "two" }, { selector: undefined }]) {
    const spec = { ...deployments[0]?.spec, ...broken };
    const found = new Deployment(JSON.parse(JSON.stringify({ spec })));
    assert.throws(() => found.validate());
  }
});

test("pods have settings and commands that there are, with every setting from one place", () => {
  const data = new Map(
    objects
      .filter(({ kind }) => kind === "ConfigMap")
      .map((object) => [object.metadata.name, z.object({ data: labels }).parse(object).data]),
  );
  for (const { name, container: one } of pods) {
    const shared = one.envFrom.flatMap(({ configMapRef }) =>
      Object.entries(data.get(configMapRef.name) ?? assert.fail(configMapRef.name)),
    );
    const given = [
      ...shared,
      ...one.env.map((entry): [string, string] => [entry.name, entry.value]),
    ];
    assert.equal(new Set(given.map(([setting]) => setting)).size, given.length);
    assertSettings(Object.fromEntries(given));
    assert.deepEqual(one.args, name.includes("probe") ? ["probe"] : []);
  }
});

test("every role runs, and probes in two locations, all with health checks", () => {
  const roles = pods.flatMap(({ container: one }) =>
    one.env.flatMap(({ name, value }) => (name === "WATCHPOST_ROLES" ? [value] : [])),
  );
  assert.deepEqual(roles, ["api", "controller", "notifier"]);
  assert.equal(pods.filter(({ container: one }) => one.args.length > 0).length, 2);
  const [, port = ""] = /^EXPOSE (\d+)$/m.exec(read("deploy/Dockerfile")) ?? [];
  const [, user = ""] = /^USER (\d+):/m.exec(read("deploy/Dockerfile")) ?? [];
  for (const { container: one, securityContext } of pods) {
    assert.deepEqual(
      one.ports.map(({ containerPort }) => containerPort),
      [Number(port)],
    );
    for (const health of [one.startupProbe, one.livenessProbe, one.readinessProbe])
      assert.ok(health !== undefined);
    assert.equal(securityContext.runAsUser, Number(user));
  }
});

test("files that settings name are mounted, from secrets that the comment says how to make", () => {
  for (const { container: one, volumes } of pods) {
    const paths = one.env.flatMap(({ name, value }) => (/_(?:FILE|CA)$/.test(name) ? [value] : []));
    assert.equal(paths.length, 2);
    for (const path of paths) {
      const mounted = one.volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
      const source = volumes.find(({ name }) => name === mounted?.name);
      const made = source?.secret?.secretName ?? source?.configMap?.name ?? "";
      const key = path.slice((mounted?.mountPath.length ?? 0) + 1);
      const how = made.replace(/-ld$/, "-ny");
      assert.match(
        text,
        new RegExp(`create (?:secret generic|configmap) ${how} --from-file=${key}`),
      );
    }
  }
});

test("selectors find the pods of their own, and every group of pods has a budget", () => {
  const found = (wanted: Readonly<Record<string, string>>): readonly string[] =>
    pods
      .filter((pod) => Object.entries(wanted).every(([key, value]) => pod.labels[key] === value))
      .map(({ name }) => name);
  for (const { metadata, spec } of deployments)
    assert.deepEqual(found(spec.selector.matchLabels), [metadata.name]);
  const budgets = objects
    .filter(({ kind }) => kind === "PodDisruptionBudget")
    .flatMap((object) => {
      const parsed = z.object({ spec: z.object({ selector: z.object({ matchLabels: labels }) }) });
      return found(parsed.parse(object).spec.selector.matchLabels);
    });
  assert.deepEqual(
    budgets,
    pods.map(({ name }) => name),
  );
  const served = objects.find(({ kind }) => kind === "Service");
  const { selector } = z.object({ spec: z.object({ selector: labels }) }).parse(served).spec;
  assert.deepEqual(found(selector), ["watchpost-api"]);
});
