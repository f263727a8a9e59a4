export const branding = {
  title: "Erscheinungsbild",
  help: "Absender und Texte der Mails dieses Kontos. Wo ein Feld leer ist, wird das Übliche gesendet.",
  usual: "Das Übliche",
  from: "Absender",
  fromHelp:
    "Ein Name, oder ein Name mit einem Postfach einer Domain, die diese Installation erlaubt: Shop <alerts@example.com>",
  "kind.down": "Wenn eine Prüfung ausfällt",
  "kind.up": "Wenn sie wieder geht",
  "kind.first": "Nach ihrem ersten Ergebnis",
  downsubject: "Betreff der Mail beim Ausfall",
  downtext: "Text der Mail beim Ausfall",
  upsubject: "Betreff der Mail, wenn es wieder geht",
  uptext: "Text der Mail, wenn es wieder geht",
  firstsubject: "Betreff der Mail des ersten Ergebnisses",
  firsttext: "Text der Mail des ersten Ergebnisses",
  welcome: "Begrüßung eines Kontakts, der sich anmelden darf",
  welcomeHelp: "Darf '{'name'}', '{'email'}', '{'url'}' und '{'password'}' enthalten.",
};
