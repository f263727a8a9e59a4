import { createSecureContext } from "node:tls";

import { z } from "zod";

import { failed, type Outcome } from "../../domain/run/outcome.ts";
import type { HttpResponse } from "../../kit/http/exchange.ts";
import { defineCheckType } from "../check-type.ts";
import { content, hasPattern, noPattern } from "./content-parameters.ts";
import { fields } from "../parameters/metric-fields.ts";
import { formData, receiveHeaders, sendHeaders } from "./name-value-pairs.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { choice, optional, text, wholeNumber } from "../../schema/parameter.ts";
import { follow, httpUrl, ipv6, verify, warningDays } from "../parameters/parameters.ts";
import { secret } from "../parameters/secrets.ts";
import { assertJudgeable, contentFailure, judgeFields } from "./response-rules.ts";
import { statusFailure, fetchTarget, withDefaultHeaders } from "./fetch-target.ts";

const MAX_BODY_LENGTH = 50_000;
const MAX_CERTIFICATE_LENGTH = 10_000;
const MAX_SHOWN = 80;
const FORM = "application/x-www-form-urlencoded";
/** RFC 9110, 9.3.6 and 9.3.8. */
const BODILESS: ReadonlySet<string> = new Set(["CONNECT", "TRACE"]);

const clientCertificate = secret(
  optional(
    {
      description: "The client certificate to present, and its private key, in PEM",
      jsonSchema: { type: "string", maxLength: MAX_CERTIFICATE_LENGTH },
      expected: `must be a certificate and its private key in PEM, of at most ${MAX_CERTIFICATE_LENGTH} characters`,
      parse: (value) => (typeof value === "string" && isWithItsKey(value) ? value : undefined),
    },
    undefined,
  ).register(formHints, {
    title: { en: "Client certificate", de: "Client-Zertifikat" },
    help: { de: "Das vorgelegte Client-Zertifikat und sein privater Schlüssel, in PEM" },
    advanced: true,
  }),
);

export const httpAdvCheck = defineCheckType({
  type: "HTTPADV",
  title: { en: "Web request, in detail", de: "Webanfrage im Einzelnen" },
  group: "web",
  summary: {
    en: "Sends a custom request, and passes if the status, headers and content of the response are as expected",
    de: "Sendet eine eigene Anfrage, und besteht, wenn Status, Header und Inhalt der Antwort wie erwartet sind",
  },
  target: "url",
  example: {
    target: "https://example.com/orders",
    method: "POST",
    sendheaders: { "X-Token": "s3cret" },
    data: { name: "Alice" },
    postdata: '{"name":"Alice"}',
    statuscode: 201,
    receiveheaders: { "Content-Type": "application/json" },
    contentstring: "order [0-9]+",
    regex: true,
    invert: false,
    fields: { load: { name: "load.1min", min: 0, max: 4.5 } },
    follow: true,
    ipv6: false,
    verify: true,
    warningdays: 14,
  },
  schema: z
    .object({
      target: httpUrl,
      method: choice("The method of the request; `DELETE` is an addition of Watchpost", [
        "GET",
        "POST",
        "PUT",
        "HEAD",
        "TRACE",
        "CONNECT",
        "DELETE",
      ]).register(formHints, {
        title: { en: "Method", de: "Methode" },
        help: { de: "Die Methode der Anfrage; `DELETE` ist eine Ergänzung von Watchpost" },
      }),
      sendheaders: sendHeaders,
      data: formData,
      postdata: secret(
        text("The body of the request, where there is no `data`", MAX_BODY_LENGTH).register(
          formHints,
          {
            title: { en: "Body", de: "Inhalt" },
            help: { de: "Der Inhalt der Anfrage, wenn es kein `data` gibt" },
          },
        ),
      ),
      statuscode: wholeNumber(
        "The expected status; 200 to 399 unless given",
        { min: 100, max: 599 },
        undefined,
      ).register(formHints, {
        title: { en: "Expected status", de: "Erwarteter Status" },
        help: { en: "200 to 399 if empty", de: "200 bis 399, wenn leer" },
      }),
      receiveheaders: receiveHeaders,
      ...content,
      fields,
      follow,
      ipv6,
      verify,
      warningdays: warningDays,
      clientcert: clientCertificate,
    })
    .refine(hasPattern, noPattern),
  run({ target, method, follow, ipv6, clientcert, fields = [], ...rest }, context) {
    const { sendheaders, statuscode, receiveheaders, verify, warningdays, ...rule } = rest;
    assertJudgeable(rule, context);
    const body = BODILESS.has(method) ? undefined : bodyOf(rest);
    return fetchTarget(
      {
        target,
        ipv6,
        method,
        follow: follow && method === "GET",
        headers: withDefaultHeaders(
          sendheaders,
          body === undefined ? {} : { "Content-Type": FORM },
        ),
        body,
        clientCertificate: clientcert,
        certificate: { verify, warningdays },
        ...(statuscode !== undefined && { isFailing: (status: number) => status !== statuscode }),
        readBody: rule.contentstring !== undefined || fields.length > 0,
      },
      context,
      async (answer) =>
        (statuscode === undefined ? statusFailure(answer) : otherStatus(statuscode, answer)) ??
        headerFault(receiveheaders, answer) ??
        (await contentFailure(rule, answer, context)) ??
        judgeFields(fields, answer),
    );
  },
});

type Pairs = Readonly<Record<string, string>>;

function bodyOf({
  data = {},
  postdata,
}: {
  readonly data?: Pairs | undefined;
  readonly postdata: string | undefined;
}): string | undefined {
  return Object.keys(data).length > 0 ? new URLSearchParams(data).toString() : postdata;
}

function otherStatus(expected: number, { status }: HttpResponse): Outcome | undefined {
  return status === expected
    ? undefined
    : failed("status", String(status), `HTTP status received: ${status} expected: ${expected}`);
}

function headerFault(expected: Pairs = {}, { status, headers }: HttpResponse): Outcome | undefined {
  const faults = Object.entries(expected).flatMap(([name, value]) => {
    const received = [headers[name.toLowerCase()] ?? []].flat();
    if (received.length === 0) return [`HTTP header missing: ${name}`];
    // Received values have no surrounding spaces.
    const wanted = value.trim().toLowerCase();
    return received.some((one) => one.toLowerCase() === wanted)
      ? []
      : [`HTTP header ${name} mismatch: ${received.join(", ").slice(0, MAX_SHOWN)}`];
  });
  return faults.length === 0 ? undefined : failed("mismatch", String(status), faults.join(". "));
}

function isWithItsKey(pem: string): boolean {
  try {
    createSecureContext({ cert: pem, key: pem });
    return true;
  } catch {
    return false;
  }
}
