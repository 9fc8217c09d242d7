/** A question as the features that its readings are rated by. */
import { type Mention, withoutQuotes } from '../question/mention/mention.ts';
import type { Token } from '../question/read/tokenise.ts';
import { COLUMN_ROLES, type QueryTraits } from './query-traits.ts';

const REACH = 3;

/** Features of one place of a question: what it is, what stands around it, how the question begins. */
export function mentionContext(symbols: readonly QuestionSymbol[], place: number): string[] {
  const at = (offset: number): string => symbols[place + offset]?.symbol ?? (place + offset < 0 ? '<' : '>');
  const own = at(0);
  const features = [`0=${own}`];
  for (let offset = 1; offset <= REACH; offset += 1)
    features.push(
      `-${offset}=${at(-offset)}`,
      `+${offset}=${at(offset)}`,
      `${own}-${offset}=${at(-offset)}`,
      `${own}+${offset}=${at(offset)}`,
    );
  features.push(
    `-2-1=${own} ${at(-2)} ${at(-1)}`,
    `-1+1=${own} ${at(-1)} ${at(1)}`,
    `+1+2=${own} ${at(1)} ${at(2)}`,
    `-3-2-1=${own} ${at(-3)} ${at(-2)} ${at(-1)}`,
    `first=${own} ${symbols[0]?.symbol ?? ''}`,
    `second=${own} ${symbols[0]?.symbol ?? ''} ${symbols[1]?.symbol ?? ''}`,
    `place=${own} ${Math.min(3, Math.floor((4 * place) / Math.max(1, symbols.length)))}`,
    `th=${own} ${Math.min(4, symbols.slice(0, place).filter(({ symbol }) => symbol === own).length)}`,
  );
  for (const word of new Set(symbols.map(({ symbol }) => symbol)))
    if (word !== own) features.push(`has=${own} ${word}`);
  const [noun] = symbols[place]?.mention?.nouns ?? [];
  if (noun !== undefined) features.push(`named=${noun.kind} ${Math.floor(noun.score * 10)}`);
  const last = (symbols[place]?.mention?.text ?? '').toLowerCase().split(/\s+/).at(-1) ?? '';
  features.push(`word=${last}`, `word=${own} ${last}`);
  return features;
}

const LONGEST = 3;

/** Features of a whole question: runs of one to three symbols, its first two, and how often each kind of name comes. */
export function questionGrams(symbols: readonly QuestionSymbol[]): string[] {
  const words = ['<', ...symbols.map(({ symbol }) => symbol), '>'];
  const grams = new Set<string>();
  for (let from = 0; from < words.length; from += 1)
    for (let length = 1; length <= LONGEST && from + length <= words.length; length += 1)
      grams.add(words.slice(from, from + length).join(' '));
  const bare = words.filter((word) => /^[A-Z]+$/.test(word) || CARRYING.has(word));
  for (let from = 0; from + 1 < bare.length; from += 1) grams.add(`~${bare[from]} ${bare[from + 1]}`);
  for (const kind of ['TABLE', 'COLUMN', 'VALUE', 'NUMBER', 'TIME'])
    grams.add(`#${kind}${Math.min(4, words.filter((word) => word === kind).length)}`);
  grams.add(`first ${words.slice(1, 3).join(' ')}`);
  return [...grams];
}

/** Words that join names. */
const CARRYING = new Set([
  'and',
  'or',
  'of',
  'for',
  'with',
  'by',
  'in',
  'not',
  'each',
  'most',
  'more',
  'than',
  'that',
  'who',
]);

/** One place of a question: a word of structure as it is, everything that names something as its kind. */
export interface QuestionSymbol {
  readonly symbol: string;
  readonly mention?: Mention;
}

/**
 * A question without the names of its database: words of structure stay, names become what they name. What is learned
 * of such symbols holds for databases that were never seen.
 */
export function questionSymbols(tokens: readonly Token[], mentions: readonly Mention[]): QuestionSymbol[] {
  const at = new Map(mentions.map((mention) => [mention.from, mention]));
  const symbols: QuestionSymbol[] = [];
  for (let place = 0; place < tokens.length; ) {
    const mention = at.get(place);
    const token = tokens[place];
    if (token === undefined) break;
    if (mention === undefined || mention.to <= place) {
      symbols.push({ symbol: token.kind === 'word' ? token.lemma : token.text });
      place += 1;
      continue;
    }
    symbols.push({ symbol: symbolOf(mention), mention });
    place = mention.to;
  }
  return symbols;
}

/** Names that are worse than this are words. */
const NAMED = 0.7;

function symbolOf(mention: Mention): string {
  const [noun] = mention.nouns;
  const [value] = mention.values;
  if (mention.cue !== undefined && (noun?.score ?? 0) < 0.9) return mention.text.toLowerCase();
  if (mention.isQuoted) return 'VALUE';
  if (value !== undefined && value.score > (noun?.score ?? 0)) return 'VALUE';
  if (noun !== undefined && noun.score >= NAMED) return noun.kind === 'table' ? 'TABLE' : 'COLUMN';
  if (mention.number !== undefined) return 'NUMBER';
  if (mention.time !== undefined) return 'TIME';
  return mention.text.toLowerCase();
}

/** Names worse than this are passed over. */
const NAMED_NOUN = 0.6;
const MOST = 4;
/** What a query uses the words of a mention for: a role of a column, a comparison with a value, a table, or nothing. */
export function mentionRole(mention: Mention, traits: QueryTraits): string {
  const { texts, columns, tables } = meaningsOf(mention);
  const literal = traits.literals.find(({ text }) => texts.has(text));
  if (literal !== undefined) return literal.operator;
  for (const id of columns) {
    const roles = traits.columns.get(id);
    const role = roles && COLUMN_ROLES.find((each) => roles.has(each));
    if (role !== undefined && role !== 'join') return role;
  }
  return tables.some((id) => traits.tables.has(id)) ? 'table' : 'none';
}

/** What a mention may be in a query. */
interface Meanings {
  /** Of literals, in lower case. */
  readonly texts: ReadonlySet<string>;
  readonly columns: readonly string[];
  readonly tables: readonly string[];
}

/** Every candidate of a question asks for the same. */
const known = new WeakMap<Mention, Meanings>();

function meaningsOf(mention: Mention): Meanings {
  const before = known.get(mention);
  if (before !== undefined) return before;
  const { nouns, values, number, isQuoted } = mention;
  const texts = new Set(
    [...values.map(({ value }) => value), ...(number === undefined ? [] : [number])].map((value) =>
      String(value).toLowerCase(),
    ),
  );
  if (isQuoted) texts.add(withoutQuotes(mention).trim().toLowerCase());
  const named = nouns.filter(({ score }) => score >= NAMED_NOUN);
  const meanings = {
    texts,
    columns: named.flatMap(({ kind, id }) => (kind === 'column' ? [id] : [])).slice(0, MOST),
    tables: named.flatMap(({ kind, tableId }) => (kind === 'table' ? [tableId] : [])),
  };
  known.set(mention, meanings);
  return meanings;
}
