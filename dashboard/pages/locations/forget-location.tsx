import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useText } from "../../text.ts";

/** Forgets a location that is gone, once that was confirmed. */
export function ForgetLocation({ code }: { readonly code: string }): ReactElement {
  const text = useText();
  const [isOpen, { open, close }] = useDisclosure(false);
  const forgetting = useChange({
    send: () => dataOf(api.POST("/info/forget/{id}", { params: { path: { id: code } } })),
    refreshes: ["locations"],
    done: text("locations.forgotten", { code }),
  });
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        mt={4}
        aria-label={text("locations.forgetNamed", { code })}
        onClick={open}
      >
        {text("locations.forget")}
      </Button>
      {isOpen && (
        <DeleteModal
          title={text("locations.forgetTitle", { code })}
          close={close}
          act={() => forgetting.mutate(undefined)}
          isSending={forgetting.isPending}
          error={forgetting.error}
          actLabel={text("locations.forget")}
        >
          <Text>{text("locations.forgetHelp")}</Text>
        </DeleteModal>
      )}
    </>
  );
}
