import type { ServiceProblemName } from "../../../src/domain/service-problem.ts";

export const problems: Readonly<Record<ServiceProblemName, string>> = {
  database: "Die Datenbank ist seit {since} nicht beschreibbar. Prüfungen haben kein Urteil.",
  disk: "Die Platte ist seit {since} voll. Es wird weiter gemeldet, Ergebnisse werden nicht aufgehoben.",
  checks_uncontrolled:
    "Einige oder alle Prüfungen laufen seit {since} nicht: Es ist kein Controller aktiv.",
  nats: "Der NATS-Server ist seit {since} nicht erreichbar. Andere Standorte prüfen nicht.",
  locations_cut_off: "Standorte auf anderen Maschinen sind seit {since} abgeschnitten.",
  no_location: "Seit {since} prüft kein Standort.",
  location: "Der Standort {subject} wurde seit {since} nicht gesehen.",
  offline: "Der Standort {subject} ist seit {since} offline.",
  resolver: "Der Resolver des Standorts {subject} antwortet seit {since} nicht.",
  runs_undecided: "Läufe von {subject} haben seit {since} kein Ergebnis.",
  runs_missed: "Seit {since} fallen Läufe von Prüfungen aus.",
  stalled: "Watchpost wird seit {since} wiederholt unterbrochen.",
  mail_server:
    "Der Mailserver ist seit {since} nicht benutzbar. Meldungen per E-Mail verzögern sich.",
  alerts_unclaimed: "Seit {since} werden keine Meldungen gesendet.",
  alerts_delayed: "Meldungen per {subject} verzögern sich seit {since}.",
  receivers: "Empfänger von Meldungen per {subject} antworten seit {since} nicht.",
  clock: "Die Uhr geht seit {since} falsch.",
  partitions: "Der Datenbank fehlen seit {since} Partitionen.",
  database_distance:
    "Die Datenbank ist seit {since} zu weit entfernt: Meldungen können sich verspäten.",
  backup: "Die letzte Sicherung ist zu alt.",
  dead_mans_switch: "Der Totmannschalter ist seit {since} nicht erreichbar.",
};
