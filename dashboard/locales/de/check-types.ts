/** The texts of the types of checks, by those of the API, which are English. */
export const checkTypes: Readonly<Record<string, string>> = {
  "Audio stream": "Audiostream",
  "Requests an audio stream, and passes if it contains audio, and if wanted audio that is loud enough":
    "Fragt einen Audiostream ab, und besteht, wenn er Ton enthält, und auf Wunsch, wenn dieser laut genug ist",
  "Queries a DNS server, or without a target the system's own, and passes if the text is in its response":
    "Fragt einen DNS-Server, oder ohne Ziel den des Systems, und besteht, wenn der Text in der Antwort steht",
  "FTP server": "FTP-Server",
  "Connects to an FTP server, logs in if it has a user name, and passes if both succeed and the text is the name of a file or in a reply":
    "Verbindet sich mit einem FTP-Server, meldet sich mit einem Benutzernamen dort an, und besteht, wenn beides gelingt und der Text der Name einer Datei ist oder in einer Antwort steht",
  "Web page": "Webseite",
  "Requests a URL, and passes if the status of the response is 200 to 399":
    "Ruft eine URL ab, und besteht, wenn der Status der Antwort 200 bis 399 ist",
  "Web request, in detail": "Webanfrage im Einzelnen",
  "Sends a custom request, and passes if the status, headers and content of the response are as expected":
    "Sendet eine eigene Anfrage, und besteht, wenn Status, Header und Inhalt der Antwort wie erwartet sind",
  "Text on a web page": "Text auf einer Webseite",
  "Requests a URL, and passes if the status is 200 to 399 and the text is in the response":
    "Ruft eine URL ab, und besteht, wenn der Status 200 bis 399 ist und der Text in der Antwort steht",
  "Numbers of a web service": "Zahlen eines Webdienstes",
  "Requests a URL, and passes if the numbers in the response are within their ranges":
    "Ruft eine URL ab, und besteht, wenn die Zahlen in der Antwort in ihren Bereichen liegen",
  "IMAP server": "IMAP-Server",
  "Connects to an IMAP server, logs in if it has a user name and a password, and passes if both succeed":
    "Verbindet sich mit einem IMAP-Server, meldet sich mit Benutzernamen und Passwort dort an, und besteht, wenn beides gelingt",
  "MySQL or MariaDB": "MySQL oder MariaDB",
  "Connects to a MySQL or MariaDB server, and passes if the login succeeds, and the query if there is one":
    "Verbindet sich mit einem Server von MySQL oder MariaDB, und besteht, wenn die Anmeldung gelingt, und die Abfrage, wenn es eine gibt",
  Ping: "Ping",
  "Sends ICMP echo requests, and passes if a reply comes":
    "Sendet Echo-Anfragen per ICMP, und besteht, wenn eine Antwort kommt",
  "POP3 server": "POP3-Server",
  "Connects to a POP3 server, logs in if it has a user name and a password, and passes if both succeed":
    "Verbindet sich mit einem POP3-Server, meldet sich mit Benutzernamen und Passwort dort an, und besteht, wenn beides gelingt",
  "TCP port": "TCP-Port",
  "Connects to a TCP port, and passes if it accepts; inverted, if it does not":
    "Verbindet sich mit einem TCP-Port, und besteht, wenn er annimmt; umgekehrt, wenn er nicht annimmt",
  Heartbeat: "Heartbeat",
  "Waits for heartbeats of your system, and passes if their metrics are within their ranges":
    "Wartet auf Heartbeats Ihres Systems, und besteht, wenn deren Zahlen in ihren Bereichen liegen",
  "DNS block lists": "DNS-Sperrlisten",
  "Looks up an address in DNS block lists, and passes if none of them lists it":
    "Sucht eine Adresse in DNS-Sperrlisten, und besteht, wenn sie in keiner steht",
  "Remote desktop": "Remotedesktop",
  "Connects to a remote desktop, and passes if it confirms the connection":
    "Verbindet sich mit einem Remotedesktop, und besteht, wenn er die Verbindung bestätigt",
  "SIP server": "SIP-Server",
  "Sends OPTIONS to a SIP server, and passes if it responds with a status up to 499":
    "Sendet OPTIONS an einen SIP-Server, und besteht, wenn er mit einem Status bis 499 antwortet",
  "SSH server": "SSH-Server",
  "Connects to an SSH server, logs in if it has a user name and a password or a key, and passes if both succeed and the text is in the output: the banner and what a shell prints that exits at once, or without a login the server's identification":
    "Verbindet sich mit einem SSH-Server, meldet sich mit Benutzernamen und Passwort oder Schlüssel dort an, und besteht, wenn beides gelingt und der Text in der Ausgabe steht: im Banner und in dem, was eine Shell ausgibt, die sich sofort beendet, oder ohne Anmeldung in der Kennung des Servers",
  "TLS certificate": "TLS-Zertifikat",
  "Reads the certificate of a server, and passes if it is trusted, matches the name, and is valid for long enough":
    "Liest das Zertifikat eines Servers, und besteht, wenn es vertrauenswürdig ist, zum Namen passt und lange genug gilt",
  "SMTP server": "SMTP-Server",
  "Connects to a mail server, logs in and names a recipient if it has them, and passes if all succeed":
    "Verbindet sich mit einem Mailserver, meldet sich an und nennt einen Empfänger, wenn beides angegeben ist, und besteht, wenn alles gelingt",
  WebSocket: "WebSocket",
  "Opens a WebSocket, sends the message if there is one, and passes if the text is in the first message received; inverted, if it is not, or if nothing is sent and nothing is received for half of the timeout":
    "Öffnet einen WebSocket, sendet die Nachricht, wenn es eine gibt, und besteht, wenn der Text in der ersten empfangenen Nachricht steht; umgekehrt, wenn er dort nicht steht, oder wenn nichts gesendet und das halbe Zeitlimit lang nichts empfangen wird",
};
