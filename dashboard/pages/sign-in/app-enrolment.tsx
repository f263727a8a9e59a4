import { Anchor, Code, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { generate } from "lean-qr";
import { toSvgPath } from "lean-qr/extras/svg";
import { useMemo, useState, type ReactElement } from "react";

import { dataOf } from "../../api/api.ts";
import { askWhoIsSignedIn } from "../../api/query-client.ts";
import { visitorApi } from "../../api/sign-in.ts";
import { useText } from "../../text.ts";
import { Layout } from "./layout.tsx";
import { CodeField, StepForm } from "./step-form.tsx";

export interface NewApp {
  readonly secret: string;
  readonly uri: string;
}

interface Props {
  readonly app: NewApp;
  readonly added: (answer: { readonly codes?: readonly string[] }) => Promise<void>;
  readonly begin: () => void;
}

/** Shows the secret to the app, and asks for its first code. */
export function AppEnrolment({ app: { secret, uri }, added, begin }: Props): ReactElement {
  const text = useText();
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: () => dataOf(visitorApi.POST("/signin/confirmapp", { body: { code } })),
    onSuccess: added,
    onError: askWhoIsSignedIn,
  });
  return (
    <Layout title={text("signIn.twoFactor")}>
      <Text>{text("signIn.scan")}</Text>
      <QrCode content={uri} label={text("signIn.qrCode")} />
      <details>
        <summary>{text("signIn.cannotScan")}</summary>
        <Text my="xs">
          {text("signIn.enterKey")} <Code>{(secret.match(/.{4}/g) ?? []).join(" ")}</Code>
        </Text>
        <Anchor href={uri}>{text("signIn.openApp")}</Anchor>
      </details>
      <StepForm
        step={confirm}
        refusals={{
          400: "signIn.wrongFirstCode",
          403: "signIn.wrongFirstCode",
          409: "signIn.changedMeanwhile",
        }}
        action="signIn.turnOnApp"
        submit={() => confirm.mutate()}
      >
        <CodeField label={text("signIn.firstCode")} value={code} set={setCode} autoFocus />
        <Text size="sm" c="dimmed">
          {text("signIn.staysSignedIn")}
        </Text>
      </StepForm>
      <Anchor component="button" type="button" ta="left" onClick={begin}>
        {text("signIn.beginAgain")}
      </Anchor>
    </Layout>
  );
}

/** Modules of white around it, without which scanners do not find it (ISO/IEC 18004). */
const QUIET = 4;

/** Black on white also by night, because not every scanner reads the inverse. */
function QrCode({
  content,
  label,
}: {
  readonly content: string;
  readonly label: string;
}): ReactElement {
  const code = useMemo(() => generate(content), [content]);
  const side = code.size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
      width="100%"
      style={{ maxWidth: 260 }}
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={toSvgPath(code)} fill="#000" />
    </svg>
  );
}
