import { AwsV4Signer } from "aws4fetch";

import { truncate } from "../format/alert-lines.ts";
import { subjectOf } from "../format/alert-text.ts";
import { parameterWithPlus } from "./credentials.ts";
import { bytesOf, messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

const host = /^sns\.(?<region>[a-z0-9-]+)\.amazonaws\.com(\.cn)?$/;
/** Maximum message, of 262,144 bytes, and subject, of less than 100: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html. */
const MAX_BYTES = 100_000;
const MAX_SUBJECT_LENGTH = 99;
const VERSION = "2010-03-31";

/** A topic, with the key of a user who may publish to it. In a FIFO topic the messages about a check stay in order, and a retry is no second message. */
export const amazonSns: Service = {
  name: "Amazon SNS",
  group: "program",
  guide: "https://docs.aws.amazon.com/sns/latest/dg/sns-create-topic.html",
  recipe: {
    steps:
      "Create a topic, and a user of IAM with the permission `sns:Publish` for it alone and an access key. Enter the endpoint of the region with the ARN of the topic and the key. Of a FIFO topic (`….fifo`) the messages about one check stay in order, and a retry is no second message.",
    addresses: [
      "https://sns.eu-central-1.amazonaws.com/?TopicArn=arn:aws:sns:eu-central-1:123456789012:alerts&aws_access_key_id=AKIAIOSFODNN7EXAMPLE&aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ],
  },
  addresses: [
    "https://sns.{region}.amazonaws.com/?TopicArn={topic}&aws_access_key_id={access_key}&aws_secret_access_key={secret_key}",
  ],
  fields: [
    {
      name: "topic",
      title: { en: "Topic ARN", de: "ARN des Topics" },
      help: {
        en: "From the page of the topic in the SNS console",
        de: "Von der Seite des Topics in der SNS-Konsole",
      },
      example: "arn:aws:sns:eu-central-1:123456789012:alerts",
      pattern: /^arn:aws[\w-]*:sns:[a-z\d-]+:\d{12}:[\w.-]+$/,
    },
    {
      name: "region",
      title: term("Region"),
      help: {
        en: "The region of the topic, the fourth part of its ARN",
        de: "Die Region des Topics, der vierte Teil seiner ARN",
      },
      example: "eu-central-1",
      pattern: /^[a-z]{2}(-[a-z]+)+-\d$/,
    },
    {
      name: "access_key",
      title: { en: "Access key ID", de: "Zugriffsschlüssel-ID" },
      help: {
        en: "Of an IAM user who may only publish to this topic",
        de: "Eines IAM-Benutzers, der nur in dieses Topic senden darf",
      },
      example: "AKIAIOSFODNN7EXAMPLE",
      secret: true,
      pattern: /^[A-Z\d]{16,128}$/,
    },
    {
      name: "secret_key",
      title: { en: "Secret access key", de: "Geheimer Zugriffsschlüssel" },
      help: {
        en: "Shown once, when the access key is created",
        de: "Wird einmal gezeigt, wenn der Zugriffsschlüssel erstellt wird",
      },
      example: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      secret: true,
    },
  ],
  form: true,
  matches: ({ hostname, searchParams }) => host.test(hostname) && searchParams.has("TopicArn"),
  requestOf(context, url) {
    const { alert } = context;
    const topic = url.searchParams.get("TopicArn") ?? "";
    return {
      url: new URL("/", url),
      body: {
        Action: "Publish",
        Version: VERSION,
        TopicArn: topic,
        Subject: truncate(subjectOf(context), MAX_SUBJECT_LENGTH),
        Message: messageText(context, { most: MAX_BYTES, sizeOf: bytesOf }),
        ...(topic.endsWith(".fifo") && {
          MessageGroupId: alert.checkId,
          MessageDeduplicationId: alert.id,
        }),
      },
    };
  },
  credentialsOf: (url) => ({
    accessKeyId: parameterWithPlus(url, "aws_access_key_id"),
    secretAccessKey: parameterWithPlus(url, "aws_secret_access_key"),
  }),
  async sign({ url, body, credentials, now }) {
    const { accessKeyId = "", secretAccessKey = "" } = credentials;
    const { headers } = await new AwsV4Signer({
      method: "POST",
      url: url.href,
      body,
      accessKeyId,
      secretAccessKey,
      service: "sns",
      region: host.exec(url.hostname)?.groups?.region ?? "",
      datetime: new Date(now).toISOString().replaceAll(/[:-]|\.\d+/g, ""),
    }).sign();
    return Object.fromEntries(headers);
  },
  failureDetailsOf({ text }) {
    const [, code = ""] = /<Code>(\w+)<\/Code>/.exec(text) ?? [];
    if (/^Throttl|^RequestExpired$/.test(code)) return { retryable: true };
    return code === "NotFound" ? { address: "gone" } : undefined;
  },
};
