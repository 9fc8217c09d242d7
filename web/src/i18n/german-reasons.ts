/** Sentences of the server that the page shows: reasons of the ledger of words, and what may be said next. */

const REASONS: Readonly<Record<string, string>> = {
  'several of what is named behind it': 'mehrere von dem, was dahinter genannt ist',
  'says where, sorts nothing': 'sagt wo, sortiert nichts',
  'stands between two names': 'steht zwischen zwei Namen',
  'the column has another unit': 'die Spalte hat eine andere Einheit',
  // Of names and values
  'a name in the query': 'ein Name in der Abfrage',
  'values that are its words': 'Werte, die so heißen',
  'each row belongs to one': 'jede Zeile gehört zu einem',
  'said in a description of what the query reads':
    'steht in einer Beschreibung dessen, was die Abfrage liest',
  'nothing in the query is called so': 'nichts in der Abfrage heißt so',
  'nothing in the query says it': 'nichts in der Abfrage sagt das',
  'the query says the same': 'die Abfrage sagt dasselbe',
  // Of numbers, times and places in an order
  'all times are asked for': 'nach allen Zeiten ist gefragt',
  'the period': 'der Zeitraum',
  'the period, from the clock': 'der Zeitraum, nach der Uhr',
  'the query has no such period': 'die Abfrage hat keinen solchen Zeitraum',
  'only one end of the period is in the query': 'nur ein Ende des Zeitraums steht in der Abfrage',
  'the query has the other side of it': 'die Abfrage hat die andere Seite davon',
  'the step of time': 'der Zeitschritt',
  'the step of time is another': 'der Zeitschritt ist ein anderer',
  'no step of time is in the query': 'in der Abfrage steht kein Zeitschritt',
  'the place in the order': 'der Platz in der Reihenfolge',
  'no place in an order is looked for': 'nach keinem Platz in einer Reihenfolge wird gesucht',
  'the number': 'die Zahl',
  'the number, one off by its comparison': 'die Zahl, um eins verschoben durch ihren Vergleich',
  'the number in another unit': 'die Zahl in einer anderen Einheit',
  'the number as a share': 'die Zahl als Anteil',
  'the number of times': 'die Anzahl der Male',
  'the query has no such number': 'die Abfrage hat keine solche Zahl',
  // Of what a query does
  'the query does so': 'die Abfrage tut das',
  'the query compares so': 'die Abfrage vergleicht so',
  'the query compares otherwise': 'die Abfrage vergleicht anders',
  'the query asks for both': 'die Abfrage verlangt beides',
  'the query takes either': 'die Abfrage nimmt eines von beiden',
  'one figure is computed of both': 'aus beiden wird eine einzige Zahl berechnet',
  'only one end of an order is looked for': 'nur nach einem Ende einer Reihenfolge wird gesucht',
  'the query looks for an end of the keys': 'die Abfrage sucht ein Ende der Schlüssel',
  'the query goes to other rows, and asks for none that are both':
    'die Abfrage geht zu anderen Zeilen und fragt nicht nach solchen, die beides sind',
  'the text is looked through at another place': 'der Text wird an anderer Stelle durchsucht',
  'a column holds the number': 'eine Spalte enthält die Zahl',
  'no figure grows': 'keine Kennzahl wächst',
  'nothing is counted': 'nichts wird gezählt',
  'nothing is summed': 'nichts wird summiert',
  'nothing is summed up on the way': 'nichts wird laufend summiert',
  'no average is computed': 'kein Durchschnitt wird berechnet',
  'no maximum is looked for': 'nach keinem Höchstwert wird gesucht',
  'no minimum is looked for': 'nach keinem Tiefstwert wird gesucht',
  'the query has a figure less than that': 'die Abfrage hat eine Zahl weniger',
  'the query asks for those that are not': 'die Abfrage sucht die, die es nicht sind',
  'no median is computed': 'kein Median wird berechnet',
  'no percentile is computed': 'kein Perzentil wird berechnet',
  'no median or percentile is computed': 'weder Median noch Perzentil wird berechnet',
  'no share is computed': 'kein Anteil wird berechnet',
  'no difference is computed': 'kein Unterschied wird berechnet',
  'no day of the week is looked at': 'kein Wochentag wird betrachtet',
  'no two times are compared': 'keine zwei Zeiten werden verglichen',
  'no time between two others is computed': 'keine Dauer wird berechnet',
  'nobody is looked for among the others': 'niemand wird unter den anderen gesucht',
  'nothing is set beside another': 'nichts wird neben anderes gestellt',
  'nothing is set against another': 'nichts wird mit anderem verglichen',
  'the query does not tell what has ended': 'die Abfrage unterscheidet nicht, was beendet ist',
  'nothing is looked for twice': 'nichts wird zweimal gesucht',
  'nothing missing is looked for': 'nach nichts Fehlendem wird gesucht',
  'nothing else is ruled out': 'nichts anderes wird ausgeschlossen',
  'nothing is denied': 'nichts wird verneint',
  'nothing is compared so': 'nichts wird so verglichen',
  'no text is looked through': 'kein Text wird durchsucht',
  'equal rows are not shown once': 'gleiche Zeilen werden nicht nur einmal gezeigt',
  'nothing is grouped': 'nichts wird gruppiert',
  'nothing is grouped by it': 'nichts wird danach gruppiert',
  'nothing is sorted': 'nichts wird geordnet',
  'nothing is sorted that way': 'nichts wird so herum geordnet',
  'no end of an order is looked for': 'nach keinem Ende einer Reihenfolge wird gesucht',
  'not all rows are shown': 'nicht alle Zeilen werden gezeigt',
  // Rules that leave words out
  'holds the sentence together': 'hält den Satz zusammen',
  'asks for the reply': 'bittet um die Antwort',
  'narrows nothing': 'grenzt nichts ein',
  'explained beside the question': 'neben der Frage erklärt',
  'a word of the sentence, spelt otherwise': 'ein Wort des Satzes, anders geschrieben',
  'the unit of the number before it': 'die Einheit der Zahl davor',
  'whoever the rows are about': 'um wen es in den Zeilen geht',
  'says once more what is named beside it': 'sagt noch einmal, was daneben steht',
  'what a row stands for': 'wofür eine Zeile steht',
  'what the rows are of': 'wovon die Zeilen sind',
  'another word for what the end is looked for of': 'ein anderes Wort für das, dessen Ende gesucht wird',
  'the text is looked through for it': 'der Text wird danach durchsucht',
  'it turns the comparison behind it': 'es kehrt den Vergleich dahinter um',
  'every row stands for itself': 'jede Zeile steht für sich',
  'says where, compares nothing': 'sagt, wo, und vergleicht nichts',
  'a part of the name behind it': 'ein Teil des Namens dahinter',
  'where in the text it is looked for': 'wo im Text danach gesucht wird',
};

const KINDS_OF_MEANING: Readonly<Record<string, string>> = {
  inflection: 'gebeugt',
  synonym: 'gleichbedeutend',
  abbreviation: 'abgekürzt',
  'english synonym': 'gleichbedeutend im Englischen',
  'english derived': 'verwandt im Englischen',
  'english broader': 'weiter gefasst',
  'english narrower': 'enger gefasst',
};

type Wording = readonly [pattern: RegExp, german: (...found: readonly string[]) => string];

const WITH_NAMES: readonly Wording[] = [
  [/^the value ‘([\s\S]*)’$/, (value) => `der Wert ‚${value}‘`],
  [/^stands for ‘([\s\S]*)’$/, (value) => `steht für ‚${value}‘`],
  [
    /^means “(.*)” \((.*)\)$/,
    (word = '', why = '') => `bedeutet „${word}“ (${KINDS_OF_MEANING[why] ?? 'verwandt'})`,
  ],
  [/^like “(.*)”$/, (word) => `ähnlich wie „${word}“`],
  [/^another word for (.*)$/, (word) => `ein anderes Wort für ${word}`],
  [
    /^the period is that of (.*), which no word names$/,
    (column) => `der Zeitraum ist der von ${column}, was kein Wort nennt`,
  ],
];

const REPLIES: Readonly<Record<string, string>> = {
  'Explain this query': 'Diese Abfrage erklären',
  'Explain these tables': 'Diese Tabellen erklären',
  'Top 10 only': 'Nur die ersten 10',
  'As a chart': 'Als Diagramm',
  'Change tables': 'Andere Tabellen',
  'Use all tables': 'Alle Tabellen nutzen',
  'All tables': 'Alle Tabellen',
  'What tables are there?': 'Welche Tabellen gibt es?',
};

const REPLIES_WITH_NAMES: readonly Wording[] = [
  [/^Describe table (.*)$/, (name) => `Tabelle ${name} beschreiben`],
  [/^How many (.*) are there\?$/, (name) => `Wie viele ${name} gibt es?`],
  [/^Which tables hold (.*)\?$/, (name) => `Welche Tabellen enthalten ${name}?`],
  [/^Which tables are about “(.*)”\?$/, (name) => `Bei welchen Tabellen geht es um „${name}“?`],
];

/** A reason of the ledger; what people or a model wrote stays as it is. */
export function germanReason(why: string): string {
  return REASONS[why] ?? worded(why, WITH_NAMES);
}

/** What the button is called that says so. */
export function germanReply(reply: string): string {
  return REPLIES[reply] ?? worded(reply, REPLIES_WITH_NAMES);
}

function worded(text: string, wordings: readonly Wording[]): string {
  for (const [pattern, german] of wordings) {
    const found = pattern.exec(text);
    if (found !== null) return german(...found.slice(1));
  }
  return text;
}
