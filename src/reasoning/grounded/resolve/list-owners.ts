import { lemmaOf, splitName, stemOf, synonymsOf } from '../../../language/index.ts';
import type { SchemaGraph } from '../query/graph/schema-graph.ts';
import type { Mention } from '../question/mention/mention.ts';
import type { NameIndex } from '../question/mention/name-index.ts';

/** Tables that own the columns of a list, by the place of each mention that only says which column: "the names and ids of all makers". */
export type ListOwners = ReadonlyMap<number, ReadonlySet<string>>;

/** Names of tables worse than this own nothing. */
const NAMED = 0.85;
/** The score of a column's name together with its table's. */
const WITH_TABLE = 0.95;

/**
 * A word like "name" or "id" stands for a column of many tables. What the list it stands in belongs to says of which: the table behind
 * "of", the table that other words of the list carry ("customer last name, id and phone number"), or what "its" looks back to.
 */
export function listOwners(mentions: readonly Mention[], graph: SchemaGraph): ListOwners {
  const owners = new Map<number, ReadonlySet<string>>();
  for (const mention of mentions) {
    if (!isShared(mention) || isDescribed(mention, mentions)) continue;
    const tables = ownerBehind(mention, mentions, graph) ?? ownerBefore(mention, mentions, graph);
    const having = (tables ?? []).filter((tableId) => mayHave(mention, tableId, graph));
    if (having.length > 0) owners.set(mention.index, new Set(having));
  }
  return owners;
}

/** A word that means the same names a column a little worse than the word that was said. */
const BY_SYNONYM = 0.86;

/**
 * "state and amount of orders" where a state is a column of other tables and orders have a status: a word that names nothing of what its
 * list belongs to names there what a word of the same meaning does.
 */
export function withOwnersWords(
  mentions: readonly Mention[],
  graph: SchemaGraph,
  names: NameIndex,
): readonly Mention[] {
  return mentions.map((mention) => {
    if (!isShared(mention) || isDescribed(mention, mentions)) return mention;
    const tables = ownerBehind(mention, mentions, graph) ?? [];
    if (tables.length === 0 || tables.some((tableId) => mayHave(mention, tableId, graph))) return mention;
    const meant = synonymsOf([stemOf(mention.text)])
      .flatMap((words) => names.match(words))
      .filter(({ kind, tableId, score }) => kind === 'column' && tables.includes(tableId) && score >= NAMED)
      .map((noun) => ({ ...noun, score: noun.score * BY_SYNONYM, why: `synonym of ${noun.why}` }));
    return meant.length === 0 ? mention : { ...mention, nouns: [...mention.nouns, ...meant] };
  });
}

/** One word for a column, of whatever table. */
function isShared({ nouns, text, cue }: Mention): boolean {
  const [best] = nouns;
  if (cue !== undefined || best?.kind !== 'column' || /\s/.test(text.trim())) return false;
  return !nouns.some(({ kind, score }) => kind === 'table' && score >= best.score - 0.05);
}

/** "the genre name of the film": the word before says whose name, whatever follows. */
function isDescribed({ index }: Mention, mentions: readonly Mention[]): boolean {
  const before = mentions[index - 1];
  return before !== undefined && before.cue === undefined && !before.isComma && !before.isSentenceEnd;
}

function mayHave({ nouns, text }: Mention, tableId: string, graph: SchemaGraph): boolean {
  return (
    nouns.some((noun) => noun.kind === 'column' && noun.tableId === tableId && noun.score >= 0.6) ||
    (/^names?$/i.test(text) && graph.table(tableId).columns.some(({ family }) => family === 'text'))
  );
}

/** Goes on through the list to what it is "of", or what its rows are "for each" of. */
function ownerBehind(
  { index }: Mention,
  mentions: readonly Mention[],
  graph: SchemaGraph,
): readonly string[] | undefined {
  for (let at = index + 1; at < mentions.length; at += 1) {
    const mention = mentions[at];
    if (mention === undefined) return undefined;
    const kind = mention.cue?.kind;
    const isTied = kind === 'of' || (kind === 'group' && /each|every/i.test(mention.text));
    if (isTied || (kind === 'preposition' && /^for$/i.test(mention.text)))
      return tablesOf(mentions[afterStops(at + 1, mentions)], graph);
    if (kind === 'count' || kind === 'aggregate') {
      at = afterStops(at + 1, mentions);
      continue;
    }
    if (mention.isComma || kind === 'and' || kind === 'stop' || kind === 'distinct') continue;
    if (!isColumn(mention)) return undefined;
    const carried = carriedTable(mention, graph);
    if (carried !== undefined) return [carried];
  }
  return undefined;
}

/** Goes back through the list to words that carry their table, or past "its" to what stands before it. */
function ownerBefore(
  { index, isPossessed }: Mention,
  mentions: readonly Mention[],
  graph: SchemaGraph,
): readonly string[] | undefined {
  if (isPossessed) return firstNamed(index, mentions, graph);
  for (let at = index - 1; at >= 0; at -= 1) {
    const mention = mentions[at];
    if (mention === undefined) return undefined;
    const kind = mention.cue?.kind;
    if (mention.isComma || kind === 'and' || kind === 'stop') continue;
    if (!isColumn(mention)) return undefined;
    const carried = carriedTable(mention, graph);
    if (carried !== undefined) return [carried];
    if (mention.isPossessed) return firstNamed(at, mentions, graph);
  }
  return undefined;
}

/** "their names": of what the question spoke of first, which is no verb. */
function firstNamed(
  before: number,
  mentions: readonly Mention[],
  graph: SchemaGraph,
): readonly string[] | undefined {
  for (const mention of mentions.slice(0, before)) {
    const tables = /(?:ed|ing)$/i.test(mention.text) ? undefined : tablesOf(mention, graph);
    if (tables !== undefined) return tables;
  }
  return undefined;
}

/** How well a column fits what its word's list belongs to: the key where an "id" is asked for, rather none of other tables. */
export function ownership(
  { index, text }: Pick<Mention, 'index' | 'text'>,
  { id, tableId }: { readonly id: string; readonly tableId: string },
  owners: ListOwners | undefined,
  graph: SchemaGraph,
): 'own' | 'own, but not its key' | 'points to it' | 'strange' | undefined {
  const tables = owners?.get(index);
  if (tables === undefined) return undefined;
  if (tables.has(tableId)) {
    const { primaryKey } = graph.table(tableId);
    const [key, second] = primaryKey;
    const isOther =
      /^ids?$/i.test(text) && key !== undefined && second === undefined && key !== id && /id$/i.test(key);
    return isOther ? 'own, but not its key' : 'own';
  }
  const points = graph
    .edges(tableId)
    .some((edge) => !edge.multiplies && tables.has(edge.to) && edge.fromColumns.includes(id));
  return points ? 'points to it' : 'strange';
}

function isColumn({ nouns: [best], cue }: Mention): boolean {
  return cue === undefined && best?.kind === 'column';
}

/** "customer last name", "nationalities of the architects". */
function carriedTable({ nouns: [best], text }: Mention, graph: SchemaGraph): string | undefined {
  if (best === undefined || best.score < WITH_TABLE || !/\s/.test(text.trim())) return undefined;
  const words = new Set(text.toLowerCase().split(/\s+/).map(lemmaOf));
  const name = splitName(graph.table(best.tableId).name).map(lemmaOf);
  return name.every((word) => words.has(word)) ? best.tableId : undefined;
}

function afterStops(from: number, mentions: readonly Mention[]): number {
  let at = from;
  while (mentions[at]?.cue?.kind === 'stop' || mentions[at]?.cue?.kind === 'distinct') at += 1;
  return at;
}

/** The tables that words name; of a column that points to rows elsewhere ("makers"), the table of those rows. */
function tablesOf(mention: Mention | undefined, graph: SchemaGraph): readonly string[] | undefined {
  if (mention === undefined || mention.cue !== undefined) return undefined;
  const named = mention.nouns.filter(({ kind, score }) => kind === 'table' && score >= NAMED);
  if (named.length > 0) return named.map(({ tableId }) => tableId);
  const pointed = mention.nouns
    .filter(({ kind, score }) => kind === 'column' && score >= NAMED)
    .flatMap(({ id, tableId }) =>
      graph
        .edges(tableId)
        .filter((edge) => !edge.multiplies && edge.fromColumns.length === 1 && edge.fromColumns[0] === id)
        .map((edge) => edge.to),
    );
  return pointed.length > 0 ? [...new Set(pointed)] : undefined;
}
