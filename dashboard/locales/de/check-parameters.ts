/** The texts of parameters of checks, by those of the API, which are English. Names of protocols stay as they are. */
export const checkParameters: Readonly<Record<string, string>> = {
  "A web address with http:// or https://": "Eine Webadresse mit http:// oder https://",
  "Measure the volume": "Lautstärke messen",
  "Fails where the stream is not as loud as below; ffmpeg must be installed at the location":
    "Schlägt fehl, wenn der Stream leiser ist als unten; am Standort muss ffmpeg installiert sein",
  "Lowest volume, in dB": "Geringste Lautstärke, in dB",
  "The mean of some seconds, relative to full scale":
    "Der Mittelwert einiger Sekunden, bezogen auf Vollaussteuerung",
  "IPv6 only": "Nur IPv6",
  "Uses IPv6 only; otherwise IPv4 is preferred": "Nutzt nur IPv6; sonst wird IPv4 bevorzugt",
  "DNS server": "DNS-Server",
  "A host name or an IP address; the server that the location itself asks if empty":
    "Ein Hostname oder eine IP-Adresse; der Server, den der Standort selbst fragt, wenn leer",
  Port: "Port",
  "Only where it is not the usual one": "Nur wenn es nicht der übliche ist",
  Transport: "Transport",
  "The transport protocol of the request": "Das Transportprotokoll der Anfrage",
  "Record type": "Art des Eintrags",
  "The record type to query": "Die Art des Eintrags, die abgefragt wird",
  "Name to look up": "Abzufragender Name",
  "A domain name, or an IP address for a PTR; without it any answer passes":
    "Ein Domainname, oder eine IP-Adresse für einen PTR; ohne ihn genügt jede Antwort",
  "Ask for recursion": "Rekursion anfordern",
  "Requests recursion": "Fordert Rekursion an",
  "Section to search": "Durchsuchter Abschnitt",
  "The section of the response to search": "Der Abschnitt der Antwort, der durchsucht wird",
  Answer: "Answer",
  Authority: "Authority",
  Additional: "Additional",
  "EDNS options": "EDNS-Optionen",
  "Text to find": "Gesuchter Text",
  "Text that must be in the response": "Text, der in der Antwort stehen muss",
  Host: "Host",
  "A host name or an IP address": "Ein Hostname oder eine IP-Adresse",
  "User name": "Benutzername",
  "Logs in where it is given": "Meldet sich an, wenn er angegeben ist",
  Password: "Passwort",
  "The password of “User name”": "Das Passwort zu „Benutzername“",
  "The text must be absent": "Der Text muss fehlen",
  "Passes where the text is not found, and fails where it is":
    "Besteht, wenn der Text nicht gefunden wird, und schlägt sonst fehl",
  "Follow redirects": "Weiterleitungen folgen",
  "Follows redirects, up to four": "Folgt Weiterleitungen, bis zu vier",
  "Verify the certificate": "Zertifikat prüfen",
  "Fails if the certificate is expired, not trusted, or for another name":
    "Schlägt fehl, wenn das Zertifikat abgelaufen ist, nicht vertrauenswürdig oder für einen anderen Namen",
  "Days before the certificate expires": "Tage vor Ablauf des Zertifikats",
  "Fails if the certificate expires within this number of days":
    "Schlägt fehl, wenn das Zertifikat innerhalb so vieler Tage abläuft",
  Method: "Methode",
  "The method of the request; “DELETE” is an addition of Watchpost":
    "Die Methode der Anfrage; „DELETE“ ist eine Ergänzung von Watchpost",
  "Headers to send": "Gesendete Header",
  "Such as Accept or Authorization": "Etwa Accept oder Authorization",
  "Form to send": "Gesendetes Formular",
  "The names and values of a form, in place of a body":
    "Die Namen und Werte eines Formulars, anstelle eines Inhalts",
  Body: "Inhalt",
  "The body of the request, where there is no “Form to send”":
    "Der Inhalt der Anfrage, wenn es kein „Gesendetes Formular“ gibt",
  "Expected status": "Erwarteter Status",
  "200 to 399 if empty": "200 bis 399, wenn leer",
  "Expected headers": "Erwartete Header",
  "Headers that the response must have, with these values in any case":
    "Header, die die Antwort haben muss, mit diesen Werten in beliebiger Groß- und Kleinschreibung",
  "The text is a regular expression": "Der Text ist ein regulärer Ausdruck",
  "In the notation of JavaScript": "In der Schreibweise von JavaScript",
  "Numbers to watch": "Überwachte Zahlen",
  "Each is found by its path, such as load.1min, and must be within its range":
    "Jede wird an ihrem Pfad gefunden, etwa load.1min, und muss in ihrem Bereich liegen",
  "Client certificate": "Client-Zertifikat",
  "The client certificate to present, and its private key, in PEM":
    "Das vorgelegte Client-Zertifikat und sein privater Schlüssel, in PEM",
  Encryption: "Verschlüsselung",
  "Whether the connection is encrypted, and how": "Ob die Verbindung verschlüsselt ist, und wie",
  None: "Keine",
  "TLS from the start": "TLS von Anfang an",
  "Mail address": "E-Mail-Adresse",
  "Logs in with it where there is no user name":
    "Meldet sich damit an, wenn es keinen Benutzernamen gibt",
  Database: "Datenbank",
  "The database to use": "Die verwendete Datenbank",
  Query: "Abfrage",
  "Runs after the login, with the privileges of the user; use one that only reads":
    "Läuft nach der Anmeldung mit den Rechten des Benutzers; nehmen Sie einen, der nur lesen darf",
  "The TCP port that must accept connections": "Der TCP-Port, der Verbindungen annehmen muss",
  "The port must be closed": "Der Port muss geschlossen sein",
  "Passes where nothing accepts connections there":
    "Besteht, wenn dort nichts Verbindungen annimmt",
  "Fail when no heartbeat comes": "Fehlschlagen, wenn kein Heartbeat kommt",
  "Otherwise only a heartbeat that reports a failure fails the check":
    "Sonst schlägt die Prüfung nur fehl, wenn ein Heartbeat einen Fehler meldet",
  "Expected times": "Erwartete Zeiten",
  "Five fields of cron, such as 30 2 * * 1-5; every interval if empty":
    "Fünf Felder wie bei cron, etwa 30 2 * * 1-5; jedes Intervall, wenn leer",
  "Expected times, as in a systemd timer": "Erwartete Zeiten, wie in einem systemd-Timer",
  "Expressions of OnCalendar, each in a line, such as Mon..Fri 02:30 or *-*~1 04:00; in place of cron":
    "Ausdrücke wie bei OnCalendar, einer pro Zeile, etwa Mon..Fri 02:30 oder *-*~1 04:00; anstelle von cron",
  "Time zone": "Zeitzone",
  "The time zone of the expected times, such as Europe/Berlin; the account’s if empty":
    "Die Zeitzone der erwarteten Zeiten, etwa Europe/Berlin; die des Kontos, wenn leer",
  "Grace, in minutes": "Karenzzeit, in Minuten",
  "How much later than expected a heartbeat may come; with expected times 60 if empty":
    "Wie viel später als erwartet ein Heartbeat kommen darf; mit erwarteten Zeiten 60, wenn leer",
  "Longest run, in minutes": "Längster Lauf, in Minuten",
  "Fails if a job that said that it began has not ended by then":
    "Schlägt fehl, wenn ein Job, der seinen Beginn gemeldet hat, bis dahin nicht beendet ist",
  "Block lists to ignore": "Ignorierte Sperrlisten",
  "Their names, separated by commas": "Ihre Namen, durch Kommas getrennt",
  Recipient: "Empfänger",
  "Names this mail address as the recipient, and sends nothing":
    "Nennt diese E-Mail-Adresse als Empfänger, und sendet nichts",
  "The recipient must be refused": "Der Empfänger muss abgelehnt werden",
  "Passes where the server refuses to take mail for the recipient":
    "Besteht, wenn der Server es ablehnt, E-Mails für den Empfänger anzunehmen",
  "Private key": "Privater Schlüssel",
  "The private key for the login in place of “Password”, in the format of OpenSSH or PEM, without a passphrase":
    "Der private Schlüssel für die Anmeldung anstelle von „Passwort“, im Format von OpenSSH oder PEM, ohne Passphrase",
  "A host name, an IP address or a web address":
    "Ein Hostname, eine IP-Adresse oder eine Webadresse",
  "Name on the certificate": "Name auf dem Zertifikat",
  "The name that the certificate must match; that of the host if empty":
    "Der Name, zu dem das Zertifikat passen muss; der des Hosts, wenn leer",
  "An address with ws:// or wss://": "Eine Adresse mit ws:// oder wss://",
  "Message to send": "Gesendete Nachricht",
  "Text, sent as it is": "Text, der unverändert gesendet wird",
  "Interval, in minutes": "Intervall, in Minuten",
  "Minutes between two runs; also 0.5 and 0.25": "Minuten zwischen zwei Läufen; auch 0,5 und 0,25",
  "Timeout, in seconds": "Zeitlimit, in Sekunden",
  "A run that takes longer fails": "Ein Lauf, der länger dauert, schlägt fehl",
  Rechecks: "Nachprüfungen",
  "How many more locations must agree before the state changes":
    "Wie viele weitere Standorte zustimmen müssen, bevor sich der Zustand ändert",
  "Wait between rechecks, in seconds": "Wartezeit zwischen Nachprüfungen, in Sekunden",
  "The first recheck follows after one second, each further one after this wait. A shorter outage alerts nobody. Leave empty for the account’s wait":
    "Die erste Nachprüfung folgt nach einer Sekunde, jede weitere nach dieser Wartezeit. Ein kürzerer Ausfall löst keine Meldung aus. Leer gilt die Wartezeit des Kontos",
  Notes: "Notizen",
  "For people; they are in alerts too": "Für Menschen; sie stehen auch in Meldungen",
  "Public report": "Öffentlicher Bericht",
  "Whether anybody may see how it does": "Ob alle sehen dürfen, wie es um sie steht",
  Diagnostics: "Diagnose",
  "Finds out why, when it goes down, and mails it":
    "Untersucht bei einem Ausfall die Ursache, und sendet das Ergebnis per E-Mail",
};
