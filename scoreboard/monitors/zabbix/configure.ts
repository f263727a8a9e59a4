// Configures a new Zabbix by its API: configure.ts ADDRESS FILE
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { z } from "zod";

import type { MonitorWorld } from "../monitor.ts";
import { HOST, objectsOf } from "./objects.ts";

type Asked = Pick<MonitorWorld, "targets" | "schedule" | "webhook" | "smtp" | "mailTo">;

const [address = "", file = ""] = process.argv.slice(2);
const asked: Asked = JSON.parse(await readFile(file, "utf8"));
const ids = z.record(z.string(), z.array(z.string()));
let auth: string | null = null;

auth = z.string().parse(await call("user.login", { username: "Admin", password: "zabbix" }));
// The host of the new installation is the server itself, whose agent is not there.
for (const { hostid } of z
  .array(z.object({ hostid: z.string() }))
  .parse(await call("host.get", {})))
  await call("host.update", { hostid, status: 1 });
await configureAlerts(await makeWebhook(), await makeMail());
await makeTargets();

async function makeWebhook(): Promise<string> {
  const { mediatypeids } = ids.parse(
    await call("mediatype.create", {
      type: 4,
      name: "Webhook",
      script: await readFile(join(import.meta.dirname, "webhook.js"), "utf8"),
      parameters: [
        { name: "url", value: asked.webhook },
        { name: "target", value: "{EVENT.TAGS.target}" },
        { name: "state", value: "{ALERT.SUBJECT}" },
        { name: "reason", value: "{ALERT.MESSAGE}" },
      ],
      message_templates: messages({
        problem: ["PROBLEM", "{EVENT.NAME}: {EVENT.OPDATA}"],
        recovery: ["RECOVERY", "{EVENT.NAME}: {EVENT.OPDATA}"],
      }),
    }),
  );
  return mediatypeids?.[0] ?? "";
}

async function makeMail(): Promise<string> {
  const { mediatypeids } = ids.parse(
    await call("mediatype.create", {
      type: 0,
      name: "Mail",
      smtp_server: asked.smtp.host,
      smtp_port: asked.smtp.port,
      smtp_helo: "receiver.test",
      smtp_email: "zabbix@receiver.test",
      content_type: 0,
      // As those of the media type Email, in part.
      message_templates: messages({
        problem: ["Problem: {EVENT.NAME}", "Operational data: {EVENT.OPDATA}"],
        recovery: ["Resolved: {EVENT.NAME}", "Operational data: {EVENT.OPDATA}"],
      }),
    }),
  );
  return mediatypeids?.[0] ?? "";
}

type Message = readonly [subject: string, text: string];

/** Messages of triggers, on a problem and on its recovery. */
function messages({
  problem,
  recovery,
}: {
  readonly problem: Message;
  readonly recovery: Message;
}): readonly object[] {
  return [problem, recovery].map(([subject, message], index) => ({
    eventsource: 0,
    recovery: index,
    subject,
    message,
  }));
}

async function configureAlerts(webhookId: string, mailId: string): Promise<void> {
  const always = { active: 0, severity: 63, period: "1-7,00:00-24:00" };
  await call("user.update", {
    userid: "1",
    medias: [
      { ...always, mediatypeid: webhookId, sendto: "oncall" },
      { ...always, mediatypeid: mailId, sendto: [asked.mailTo] },
    ],
  });
  const recipients = { opmessage: { default_msg: 1 }, opmessage_usr: [{ userid: "1" }] };
  await call("action.create", {
    name: "Alert",
    eventsource: 0,
    esc_period: "1h",
    filter: { evaltype: 0, conditions: [] },
    operations: [{ operationtype: 0, ...recipients }],
    // To everybody who was told of the problem.
    recovery_operations: [{ operationtype: 11, opmessage: { default_msg: 1 } }],
  });
}

async function makeTargets(): Promise<void> {
  const { groupids } = ids.parse(await call("hostgroup.create", { name: "Targets" }));
  const { hostids } = ids.parse(
    await call("host.create", {
      host: HOST,
      groups: [{ groupid: groupids?.[0] }],
      interfaces: [{ type: 1, main: 1, useip: 1, ip: "127.0.0.1", dns: "", port: "10050" }],
    }),
  );
  const hostid = hostids?.[0];
  const [{ interfaceid }] = z
    .tuple([z.object({ interfaceid: z.string() })])
    .parse(await call("hostinterface.get", { hostids: hostid }));
  for (const target of asked.targets) {
    const { webScenario, item, trigger } = objectsOf(target, asked.schedule);
    if (webScenario !== undefined) await call("httptest.create", { hostid, ...webScenario });
    if (item !== undefined) await call("item.create", { hostid, interfaceid, ...item });
    await call("trigger.create", trigger);
  }
}

async function call(method: string, parameters: object): Promise<unknown> {
  const response = await fetch(`${address}/api_jsonrpc.php`, {
    method: "POST",
    headers: { "content-type": "application/json-rpc" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, auth, method, params: parameters }),
  });
  const { result, error } = z
    .object({ result: z.unknown(), error: z.unknown() })
    .partial()
    .parse(await response.json());
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
