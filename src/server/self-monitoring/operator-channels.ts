import { hostname } from "node:os";

import { commonHeaders, threadHeaders } from "../../channels/mail/headers.ts";
import { plainTextOf } from "../../channels/plain-text.ts";
import { addressDefaults, type Address } from "../../domain/contact/contact.ts";
import type { Secret } from "../../kit/crypto/secret.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Egress } from "../../kit/net/egress.ts";
import type { DeliveryServices } from "../delivery.ts";
import type { OperatorChannel } from "./operator-alerts.ts";

interface Deps {
  readonly delivery: Pick<DeliveryServices, "channels" | "mailer" | "url">;
  readonly email: string | undefined;
  readonly webhook: Secret | undefined;
  /** The operator's own addresses may be anywhere, also in the installation's own network. */
  readonly egress: Egress;
  readonly clock: Clock;
}

/** The ways to the operator that the settings have. */
export function operatorChannelsOf(deps: Deps): readonly OperatorChannel[] {
  return [mailWay(deps), webhookWay(deps)].filter((way) => way !== undefined);
}

function mailWay({ delivery: { mailer, url }, email, clock }: Deps): OperatorChannel | undefined {
  if (email === undefined || mailer === undefined) return undefined;
  const host = new URL(url).hostname;
  return {
    name: "email",
    async send(context, signal) {
      const { subject, text } = plainTextOf({ ...context, to: addressOf("email", email) });
      await mailer.send(
        {
          to: email,
          subject: `[Watchpost on ${hostname()}] ${subject}`,
          text,
          html: undefined,
          headers: {
            ...commonHeaders(context.alert.id, host),
            ...threadHeaders([context.alert], host),
          },
          date: new Date(clock.now()),
        },
        signal,
      );
    },
  };
}

function webhookWay({
  delivery: { channels },
  webhook: url,
  egress,
  clock,
}: Deps): OperatorChannel | undefined {
  if (url === undefined) return undefined;
  const to = addressOf("webhook", url.reveal());
  return {
    name: "webhook",
    async send(context, signal) {
      const message = channels.webhook.render({ ...context, to });
      const outgoing = { id: context.alert.id, to, message };
      await channels.webhook.send(outgoing, { signal, egress, clock, attempt: 1 });
    },
  };
}

function addressOf(kind: string, address: string): Address {
  return { ...addressDefaults, id: "OPERATOR", kind, address };
}
