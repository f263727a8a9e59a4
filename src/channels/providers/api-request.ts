import type { DeliveryFailed } from "../../kit/errors.ts";
import type { HttpResponseHead } from "../../kit/http/exchange.ts";
import type { SendContext } from "../channel.ts";
import { responseJson } from "../webhook/response-json.ts";
import { SENDER_NAME } from "../webhook/send-http.ts";
import {
  failureOfResponse,
  failureOfExchange,
  type FailureDetails,
} from "../webhook/http-failure.ts";
import { boundedExchange } from "../webhook/bounded-exchange.ts";
import { oneLine } from "../format/one-line.ts";

export interface ApiRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface ApiResponse extends HttpResponseHead {
  /** The beginning of the body, on one line. */
  readonly text: string;
  /** Empty if the response is not JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

const MAX_BODY_BYTES = 64 * 2 ** 10;
const TEXT_LENGTH = 500;

/** Sends one request to the API of a provider. Throws DeliveryFailed where there is no response. */
export async function requestApi(
  { headers, ...question }: ApiRequest,
  { egress, signal, clock }: SendContext,
): Promise<ApiResponse> {
  try {
    const { body, ...head } = await boundedExchange(
      {
        ...question,
        headers: { "user-agent": SENDER_NAME, accept: "application/json", ...headers },
        readBody: true,
        maxBodyBytes: MAX_BODY_BYTES,
        verifyTls: true,
      },
      { egress, signal, clock },
    );
    const text = new TextDecoder().decode(body);
    return { ...head, text: oneLine(text, TEXT_LENGTH), json: responseJson(text) };
  } catch (error) {
    throw failureOfExchange(error);
  }
}

export function isAccepted({ status }: HttpResponseHead): boolean {
  return status >= 200 && status < 300;
}

/** The failure of a response that is no acceptance, with the provider's own message where it has one. */
export function rejectionOf(
  answer: ApiResponse,
  { words = answer.text, ...rest }: FailureDetails & { words: string | undefined; now: number },
): DeliveryFailed {
  const message = `${answer.status} ${oneLine(words, TEXT_LENGTH)}`.trim();
  return failureOfResponse(message, answer, rest);
}
