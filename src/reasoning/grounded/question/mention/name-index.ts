import type { Catalog } from '../../../../catalog/index.ts';
import type { SemanticModel } from '../../../../knowledge/semantic/index.ts';
import { lemmaOf, splitName, stemOf, synonymsOf } from '../../../../language/index.ts';
import { BoundedMap } from '../../../../lib/index.ts';
import type { NounMatch } from './mention.ts';
import { FILLER, type NameEntry, nameEntries } from './name-entries.ts';

/** Names of tables and columns, looked up by the words of a question. */
export interface NameIndex {
  match(words: readonly string[]): NounMatch[];
  /** Every word of a name or synonym, in lower case as written, singular and plural. */
  readonly vocabulary: ReadonlySet<string>;
}

/** A name with what every look-up asks of it. */
interface IndexedName extends NameEntry {
  /** The words in one. */
  readonly joined: string;
  /** Stem of the name written together. */
  readonly stem: string;
  /** The words that the table's name does not have. */
  readonly bare: readonly string[];
}

function toIndexed(entry: NameEntry): IndexedName {
  const { words, spelt, tableWords } = entry;
  return {
    ...entry,
    joined: words.join(''),
    stem: words.length > 1 ? stemOf(spelt) : '',
    bare: words.filter((word) => !tableWords.includes(word)),
  };
}

const MIN_SCORE = 0.5;
/** A synonym is weaker than the name itself. */
const SYNONYM_FACTOR = 0.86;
/** What a view shows of a table is hardly meant where the table itself is called so. */
const ECHO_FACTOR = 0.6;
/** A table of records, where the table that they are of is called so, too. */
const RECORD_FACTOR = 0.62;
const GENERIC_HEAD = /^(?:numbers?|names?|codes?|dates?|address(?:es)?|values?|amounts?)$/;
const MEMBER = /^(?:members?|people|persons?)$/;
/** "fax number": the column is called fax. "order numbers" where an order has an id and no number. "staff members": the rows of the table. */
const HEADED: readonly {
  readonly heads: RegExp;
  readonly kind: NounMatch['kind'];
  readonly least: number;
  readonly as?: readonly string[];
}[] = [
  { heads: GENERIC_HEAD, kind: 'column', least: 0.93 },
  { heads: /^numbers?$/, kind: 'column', least: 0.97, as: ['id'] },
  { heads: MEMBER, kind: 'table', least: 0.93 },
];
const STEP_ADVERB = /^(day|week|month|quarter|year)ly$/;
const NAME = stemOf('name');
const DETAIL = stemOf('detail');
const CODE = stemOf('code');
const PREFIX_SCORE = 0.72;

/** Builds the index over every name, semantic synonym and short comment of a catalog. */
export function buildNameIndex(catalog: Catalog, semantics: SemanticModel): NameIndex {
  const entries = nameEntries(catalog, semantics).map(toIndexed);
  const byStem = new Map<string, IndexedName[]>();
  const byJoined = new Map<string, IndexedName[]>();
  for (const entry of entries) {
    for (const word of new Set([...entry.words, ...(entry.kind === 'column' ? entry.tableWords : [])]))
      push(byStem, word, entry);
    push(byJoined, entry.joined, entry);
    // "releaseyear" for release_year: written together, the stem of the whole is that of its last word.
    if (entry.words.length > 1) push(byJoined, entry.stem, entry);
  }
  const memory = new BoundedMap<string, NounMatch[]>(20_000);
  return {
    vocabulary: vocabularyOf(catalog, semantics),
    match: (words) => memory.getOrMake(words.join(' '), () => matchWords(words, byStem, byJoined)),
  };
}

function vocabularyOf(catalog: Catalog, semantics: SemanticModel): Set<string> {
  const terms = [...semantics.metrics, ...semantics.dimensions, ...semantics.datasets].flatMap((item) => [
    item.name,
    ...item.synonyms,
  ]);
  const names = catalog.tables.flatMap((table) => [
    table.name,
    ...table.columns.map((column) => column.name),
  ]);
  const words = [...terms, ...names].flatMap((name) => splitName(name)).filter((word) => word.length >= 4);
  return new Set(
    words.flatMap((word) => [word, word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`]),
  );
}

function push(map: Map<string, IndexedName[]>, key: string, entry: IndexedName): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}

function matchWords(
  words: readonly string[],
  byStem: ReadonlyMap<string, IndexedName[]>,
  byJoined: ReadonlyMap<string, IndexedName[]>,
): NounMatch[] {
  // "each day of the week" where the days of the week are called days.
  const named =
    words.length > 2 && words.at(-1) === 'week' && words.includes('of')
      ? words.slice(0, words.indexOf('of'))
      : words;
  const all = named.flatMap((word) => splitName(word)).map(stemOf);
  const telling = all.filter((word) => !FILLER.has(word));
  // "the details" may be all that a name says.
  const stems = telling.length > 0 ? telling : all;
  if (stems.length === 0) return [];
  const isPlain = !words.includes('of');
  // "order details" for `order_details`, before "details" is taken for a filler.
  const detailed = all.filter((word) => !FILLER.has(word) || word === DETAIL);
  const exact =
    detailed.length > stems.length || stems[0] === DETAIL
      ? matchStems(detailed, byStem, byJoined, isPlain).filter(
          ({ kind, score }) => kind !== 'table' || (isPlain && score >= 1),
        )
      : [];
  const direct = exact.length > 0 ? exact : saidWhole(matchStems(stems, byStem, byJoined, isPlain), all);
  // "the cost of round trips" for `round_trip_cost`.
  const of = words.indexOf('of');
  if (direct.length === 0 && of > 0 && words.indexOf('of', of + 1) === -1 && stems.length > 2) {
    const turned = [...words.slice(of + 1), ...words.slice(0, of)];
    const found = turned
      .flatMap((word) => splitName(word))
      .map(stemOf)
      .filter((word) => !FILLER.has(word));
    direct.push(...matchStems(found, byStem, byJoined).filter((match) => match.score >= SYNONYM_FACTOR));
  }
  // "calendar quarterly": the step, where it has a name of several words.
  const step = STEP_ADVERB.exec(words.at(-1) ?? '')?.[1];
  if (words.length > 1 && step !== undefined && !direct.some(isNamedDimension))
    direct.unshift(
      ...matchStems([...stems.slice(0, -1), stemOf(step)], byStem, byJoined).filter(isNamedDimension),
    );
  // "high schoolers" for the table `highschooler`: the stem of the whole is not that of its parts.
  const [first, second, third] = words;
  if (direct.length === 0 && first !== undefined && second !== undefined && third === undefined)
    direct.push(...matchStems([stemOf(lemmaOf(`${first}${second}`))], byStem, byJoined));
  // A book's title is its name, also where other tables have names.
  const isName = stems.length === 1 && stems[0] === NAME;
  if (direct.length > 0 && (direct[0]?.score ?? 0) >= SYNONYM_FACTOR && !isName) return direct;
  const bare = stems.slice(0, -1);
  if (direct.length === 0 && bare.length > 0)
    direct.push(
      ...matchHeaded(bare, words.at(-1) ?? '', (some) => matchStems(some, byStem, byJoined, isPlain)),
    );
  const [only] = stems;
  if (direct.length === 0 && only !== undefined && stems.length === 1 && only.length >= 4)
    direct.push(...matchPrefix(only, byJoined));
  const others = synonymsOf(stems).flatMap((other) => matchStems(other, byStem, byJoined));
  if (direct.length + others.length === 0 && words.length === 1)
    direct.push(...matchShortened(words[0] ?? '', byJoined));
  const known = new Set(direct.map((match) => `${match.kind}:${match.id}`));
  const added = others
    .filter((match) => !known.has(`${match.kind}:${match.id}`))
    .map((match) => ({ ...match, score: match.score * SYNONYM_FACTOR, why: `synonym of ${match.why}` }))
    .filter((match) => match.score >= MIN_SCORE);
  return [...direct, ...added].sort(byScore);
}

/** "competition records" are the rows of `competition_record`: with the word that may be left out, the name is whole. */
function saidWhole(found: readonly NounMatch[], said: readonly string[]): NounMatch[] {
  const isWhole = ({ kind, id, score }: NounMatch): boolean =>
    kind === 'table' && score < WHOLE && sameWords(splitName(id).map(stemOf), said);
  return found.map((match) => (isWhole(match) ? { ...match, score: WHOLE } : match)).sort(byScore);
}

const WHOLE = 0.97;

/** What words in front of a general one name: the first kind of general word that finds something tells. */
function matchHeaded(
  bare: readonly string[],
  head: string,
  match: (stems: readonly string[]) => readonly NounMatch[],
): readonly NounMatch[] {
  for (const { heads, kind, least, as = [] } of HEADED) {
    const found = heads.test(head) ? match([...bare, ...as]) : [];
    const named = found.filter((one) => one.kind === kind && one.score >= least);
    if (named.length > 0) return named.map((one) => ({ ...one, score: one.score * 0.97 }));
  }
  return [];
}

function isNamedDimension({ kind, score }: NounMatch): boolean {
  return kind === 'dimension' && score >= 0.93;
}

/** "rented" for the table `rental`: the verb begins the name of what it makes. */
function matchPrefix(stem: string, byJoined: ReadonlyMap<string, IndexedName[]>): NounMatch[] {
  const longer = [...byJoined].filter(([name]) => name.startsWith(stem) && name.length - stem.length <= 3);
  return longer.flatMap(([, entries]) =>
    entries
      .filter((entry) => entry.kind === 'table')
      .map(({ kind, id, tableId }) => ({
        kind,
        id,
        tableId,
        score: PREFIX_SCORE,
        why: `beginning of ${kind} ${id}`,
      })),
  );
}

/** "prerequisite" for the table `prereq`: the name is the beginning of the word. */
function matchShortened(word: string, byJoined: ReadonlyMap<string, IndexedName[]>): NounMatch[] {
  const found: NounMatch[] = [];
  for (let length = 4; length < word.length - 1; length++) {
    const start = word.slice(0, length);
    for (const { kind, id, tableId, spelt } of byJoined.get(start) ?? [])
      if (spelt === start)
        found.push({ kind, id, tableId, score: PREFIX_SCORE, why: `${kind} ${id}, shortened` });
  }
  return found;
}

function matchStems(
  stems: readonly string[],
  byStem: ReadonlyMap<string, IndexedName[]>,
  byJoined: ReadonlyMap<string, IndexedName[]>,
  isPlain = true,
): NounMatch[] {
  // "details of the order": words that every name may carry leave none to look for.
  if (stems.length === 0) return [];
  const joined = stems.join('');
  const candidates = new Set<IndexedName>(byJoined.get(joined) ?? []);
  const lists = stems.map((stem) => byStem.get(stem) ?? []);
  // "details" and "members" alone leave no word to look for.
  const [first, ...others] = lists;
  if (first === undefined) return [];
  const rarest = others.reduce((least, list) => (list.length < least.length ? list : least), first);
  for (const entry of rarest) if (hasWords(entry, stems)) candidates.add(entry);
  const [, last] = stems;
  if (isPlain && stems.length === 2)
    for (const entry of byJoined.get(last ?? '') ?? []) if (entry.kind === 'table') candidates.add(entry);
  const best = new Map<string, NounMatch>();
  for (const entry of candidates) {
    const score = scoreEntry(stems, joined, entry);
    if (score < MIN_SCORE) continue;
    const key = `${entry.kind}:${entry.id}`;
    if ((best.get(key)?.score ?? 0) >= score) continue;
    const why = `${entry.source} of ${entry.kind} ${entry.id}`;
    best.set(key, {
      kind: entry.kind,
      id: entry.id,
      tableId: entry.tableId,
      score,
      why,
      isFlag: entry.isFlag,
      isText: entry.isText,
      isUnique: entry.isUnique,
      isOpposite: entry.isOpposite,
    });
  }
  return [...best.values()].sort(byScore);
}

/**
 * Its own name or, for a column, that of its table says every word, and its own says one. A loop without closures: in a catalog of
 * thousands of tables it looks at tens of thousands of names for each word.
 */
function hasWords({ kind, words, tableWords }: NameEntry, stems: readonly string[]): boolean {
  let isOwn = false;
  for (const stem of stems) {
    if (words.includes(stem)) isOwn = true;
    else if (kind !== 'column' || !tableWords.includes(stem)) return false;
  }
  return isOwn;
}

function byScore(a: NounMatch, b: NounMatch): number {
  return b.score - a.score || a.id.localeCompare(b.id);
}

/** How well the words name the entry: full name, name without its table's words, or a part of it. */
function scoreEntry(stems: readonly string[], joined: string, entry: IndexedName): number {
  const { words, tableWords, bare } = entry;
  // "number of orders" counts; it is not the column `order_number` read backwards.
  if (stems[0] === 'number' && stems.length > 1 && words[0] !== 'number') return 0;
  const factor =
    entry.source === 'comment'
      ? 0.85
      : entry.isEcho
        ? ECHO_FACTOR
        : entry.isBridge
          ? 0.88
          : entry.isRecord && stems.length === words.length
            ? RECORD_FACTOR
            : entry.isShortened
              ? 0.93
              : 1;
  if (sameWords(stems, words) || joined === entry.joined) return factor;
  // "payload" for `pay_load`: the stem of the whole is not that of its parts.
  if (stems.length === 1 && words.length > 1 && stems[0] === entry.stem) return 0.97 * factor;
  if (entry.kind === 'column') {
    const own = stems.filter((stem) => words.includes(stem));
    if (own.length === 0) return 0;
    // "open businesses": businesses that are open, not their column.
    if ((entry.isFlag === true || entry.isFlagName === true) && tableWords.includes(stems.at(-1) ?? ''))
      return 0;
    if (bare.length > 0 && sameWords(stems, bare)) return 0.93 * factor;
    // "template type" for `template_type_code`.
    if (words.length > 2 && words.at(-1) === CODE && sameWords(stems, words.slice(0, -1)))
      return 0.9 * factor;
    // "singer name" for column `name` of table singer; the table's words may lead or follow.
    const stripped = stems.filter((stem) => !tableWords.includes(stem));
    if (
      stripped.length > 0 &&
      stripped.length < stems.length &&
      (sameWords(stripped, words) || sameWords(stripped, bare))
    )
      return 0.97 * factor;
  }
  // "film categories" for the table category: the word before is another table's.
  if (
    entry.kind === 'table' &&
    stems.length === words.length + 1 &&
    sameWords(stems.slice(1), words) &&
    entry.tableStems?.has(stems[0] ?? '')
  )
    return 0.92 * factor;
  const target = bare.length > 0 ? bare : words;
  if (!stems.every((stem) => words.includes(stem))) return 0;
  if (stems.length === target.length && stems.every((stem) => target.includes(stem))) return 0.88 * factor;
  const covered = stems.filter((stem) => target.includes(stem)).length / target.length;
  const namesHead = stems.at(-1) === target.at(-1) ? 0.1 : 0;
  return (0.4 + 0.35 * covered + namesHead) * factor;
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
