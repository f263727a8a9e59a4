import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { RecordPage } from "../../parts/records/record-page.tsx";
import { loadContacts, wordsOf } from "./contact.ts";
import { ContactCard } from "./contact-card.tsx";
import { ContactForm } from "./contact-form.tsx";

/** The people who get alerts, or sign in. */
export function ContactsPage(): ReactElement {
  const contacts = useQuery({ queryKey: ["contacts"], queryFn: loadContacts });
  return (
    <RecordPage
      texts="contacts"
      query={contacts}
      needs="owner"
      wordsOf={wordsOf}
      cols={{ base: 1, lg: 2 }}
      form={(close) => <ContactForm close={close} />}
      card={(contact) => <ContactCard key={contact._id} contact={contact} />}
    />
  );
}
