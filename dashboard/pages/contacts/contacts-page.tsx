import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { EmptyList } from "../../parts/records/empty-list.tsx";
import { FoundList } from "../../parts/records/found-list.tsx";
import { useAdding } from "../../parts/records/use-adding.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { loadContacts, wordsOf } from "./contact.ts";
import { ContactCard } from "./contact-card.tsx";
import { ContactForm } from "./contact-form.tsx";

/** The people who get alerts, or sign in. */
export function ContactsPage(): ReactElement {
  const text = useText();
  const mayChange = useMay("owner");
  const [isAdding, setAdding] = useAdding();
  const contacts = useQuery({ queryKey: ["contacts"], queryFn: loadContacts });
  const add = { label: text("contacts.add"), act: () => setAdding(true) };
  return (
    <>
      <PageTitle title={text("contacts.title")}>
        {mayChange && (
          <Button leftSection={<PlusIcon size={16} />} onClick={add.act}>
            {add.label}
          </Button>
        )}
      </PageTitle>
      <Loaded query={contacts}>
        {(all) =>
          all.length === 0 ? (
            <EmptyList action={mayChange ? add : undefined}>{text("contacts.none")}</EmptyList>
          ) : (
            <FoundList
              label={text("contacts.title")}
              items={all}
              wordsOf={wordsOf}
              cols={{ base: 1, lg: 2 }}
            >
              {(contact) => <ContactCard key={contact._id} contact={contact} />}
            </FoundList>
          )
        }
      </Loaded>
      {mayChange && isAdding && <ContactForm close={() => setAdding(false)} />}
    </>
  );
}
