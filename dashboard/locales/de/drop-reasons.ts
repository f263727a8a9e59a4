import type { DropReason } from "../../../src/domain/alert/alert.ts";

/** As in English. */
export const dropReasons: Readonly<Record<DropReason, string>> = {
  recovered: "die Prüfung war wieder erreichbar, bevor sie gesendet wurde",
  acknowledged: "jemand kümmert sich um den Ausfall",
  outdated: "die Prüfung fiel aus, bevor sie gesendet wurde",
  deleted: "die Prüfung wurde gelöscht",
  recipient_gone: "der Kontakt oder seine Adresse wurde gelöscht",
  account_deleted: "das Konto ist gelöscht",
  account_suppressed: "das Konto unterdrückt alle Meldungen",
  address_disabled: "der Empfänger lehnt die Adresse endgültig ab",
  address_muted: "die Adresse ist stummgeschaltet",
  address_suppressed: "die Adresse unterdrückt alle Nachrichten",
  address_unconfirmed: "niemand hat die Adresse bestätigt",
  suppressed_up: "die Adresse unterdrückt Entwarnungen",
  suppressed_down: "die Adresse unterdrückt Ausfallmeldungen",
  suppressed_first: "die Adresse unterdrückt erste Ergebnisse",
  outside_window: "sie war außerhalb der Zeitfenster ihres Zeitplans fällig",
  check_muted: "die Prüfung war stummgeschaltet, als sie fällig war",
  dependency_down: "die Prüfung, von der diese abhängt, war ausgefallen",
  down_not_sent: "auch die Ausfallmeldung wurde nicht gesendet",
  incident_service: "der Dienst verwaltet seine Vorfälle selbst",
};
