import { createHash, createHmac } from "node:crypto";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import type { ReceivedRequest } from "../../../test/peers/webhook-receiver.ts";
import { amazonSns } from "./amazon-sns.ts";

const topic = "arn:aws:sns:eu-central-1:123456789012:alerts.fifo";
const accessKey = "AKIDEXAMPLE";
const secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

/** As the reference of Publish has it, for a FIFO topic. */
const publication = z.strictObject({
  Action: z.literal("Publish"),
  Version: z.literal("2010-03-31"),
  TopicArn: z.literal(topic),
  Subject: z
    .string()
    .min(1)
    .max(99)
    .regex(/^\P{Cc}+$/u),
  Message: z.string().min(1),
  MessageGroupId: z.string().regex(/^[\w!-/:-@[-`{-~]{1,128}$/),
  MessageDeduplicationId: z.string().regex(/^[\w!-/:-@[-`{-~]{1,128}$/),
});
const MAX_BYTES = 262_144;

const parsed = (body: string) =>
  publication.safeParse(Object.fromEntries(new URLSearchParams(body)));

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Returns whether the header is what https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html says it must be. */
function isSigned({ path, headers, body }: ReceivedRequest): boolean {
  const date = String(headers["x-amz-date"]);
  const [, signed = "", signature] =
    /SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(headers.authorization ?? "") ?? [];
  const lines = signed.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = ["POST", path, "", lines.join(""), signed, sha256(body)].join("\n");
  const scope = [date.slice(0, 8), "eu-central-1", "sns", "aws4_request"];
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  const text = ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(canonical)].join("\n");
  return (
    signed.split(";").includes("host") &&
    headers.authorization?.includes(`Credential=${accessKey}/${scope.join("/")}`) === true &&
    hmac(key, text).toString("hex") === signature
  );
}

function refused(status: number, code: string): { status: number; body: string } {
  const body = `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`;
  return { status, body };
}

serviceContract(amazonSns, {
  address: `https://sns.eu-central-1.amazonaws.com/?TopicArn=${topic}&aws_access_key_id=${accessKey}&aws_secret_access_key=${secretKey}`,
  others: ["https://sns.cn-north-1.amazonaws.com.cn/?TopicArn=arn:aws-cn:sns:x"],
  foreign: [
    "https://sns.eu-central-1.amazonaws.com/",
    "https://sqs.eu-central-1.amazonaws.com/?TopicArn=x",
    "https://sns.eu-central-1.amazonaws.com.evil.example/?TopicArn=x",
  ],
  secrets: [secretKey, accessKey],
  answer(request) {
    if (!isSigned(request) || request.path !== "/") return refused(403, "SignatureDoesNotMatch");
    const { data } = parsed(request.body);
    return data !== undefined && Buffer.byteLength(data.Message) <= MAX_BYTES
      ? {
          status: 200,
          body: "<PublishResponse><PublishResult><MessageId>x</MessageId></PublishResult></PublishResponse>",
        }
      : refused(400, "InvalidParameter");
  },
  messageKey: ({ body }) => parsed(body).data?.MessageDeduplicationId,
  shown({ body }) {
    const { Subject = "", Message = "" } = parsed(body).data ?? {};
    return [
      { text: Subject, alive: /[\n\p{Cf}\p{Cs}]/u },
      { text: Message, alive: /[\p{Cf}\p{Cs}]/u },
    ];
  },
  refusals: [
    { answer: refused(404, "NotFound"), retryable: false, address: "gone" },
    { answer: refused(403, "AuthorizationError"), retryable: false },
    { answer: refused(403, "InvalidClientTokenId"), retryable: false },
    { answer: refused(400, "InvalidParameter"), retryable: false },
    { answer: refused(400, "Throttling"), retryable: true },
    { answer: refused(429, "Throttled"), retryable: true },
    { answer: refused(500, "InternalError"), retryable: true },
  ],
});
