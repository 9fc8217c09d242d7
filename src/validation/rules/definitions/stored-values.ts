/** Words that people have given to stored values: the query has to compare with what they stand for. */
import type { ValueMapping } from '../../../knowledge/semantic/index.ts';
import { ancestor } from '../../../sql/tree/index.ts';
import { conditionsOn, lets, literalsIn, type Said } from './conditions.ts';
import type { NamedMetric } from './named-metrics.ts';
import { conditionOf, type QueryUses } from './query-uses.ts';
import { overlaps, type Place, type QuestionWords, stemOf, stemsIn, wordsOf } from './question-words.ts';

interface SaidValue extends ValueMapping {
  readonly said: string;
  readonly place: Place;
}

export function brokenValues(
  metrics: readonly NamedMetric[],
  uses: QueryUses,
  words: QuestionWords,
): readonly string[] {
  const named = saidValues(uses, words);
  const places = [...new Set(named.map(({ place }) => `${place.start} ${place.end}`))];
  return places.flatMap((key) => {
    // One word may stand for values of several columns; one of them is enough.
    const rivals = named.filter(({ place }) => `${place.start} ${place.end}` === key);
    if (rivals.some((one) => isMet(one, { named, uses, words }))) return [];
    const read = rivals.filter(({ column }) => uses.reads(tableOf(column)).length > 0);
    const compared = read.find(({ column }) => conditionsOn(column, uses).length > 0);
    if (rivals.some((one) => isOfAnother(one, { metrics, uses, words }))) return [];
    if (compared !== undefined) return [textFor(compared, uses)];
    const [absent] = read.length > 0 ? read : rivals.filter((one) => isInReach(one, uses));
    if (absent === undefined || isCovered(absent, { metrics, uses, words })) return [];
    return [textFor(absent, uses)];
  });
}

/**
 * The question names a stored value of a dimension as it is written, and the query compares the dimension with others alone, of which the
 * question has no word.
 */
export function otherValues(uses: QueryUses, words: QuestionWords): readonly string[] {
  const written = new Set(textsOf(uses).map((text) => text.toLowerCase()));
  return uses.semantics.dimensions.flatMap(({ column, isTime }) => {
    const id = uses.columnId(column);
    const compared = isTime
      ? []
      : conditionsOn(column, uses).flatMap(({ node }) =>
          literalsIn(node).filter((value): value is string => typeof value === 'string'),
        );
    if (compared.length === 0 || compared.some((value) => words.has(value))) return [];
    const said = [...(uses.schema.valuesOf(id)?.exact ?? [])].find(
      (value) => !written.has(value.toLowerCase()) && isNamedAsWritten(value, uses, words),
    );
    return said === undefined || compared.some((value) => isSpoken(value, said, { uses, words }))
      ? []
      : [
          `the question names ${said}, a value of ${column}, and the query compares it with ${compared.join(', ')}`,
        ];
  });
}

/** A word of it that the other value has not, or what people call it, is in the question. */
function isSpoken(value: string, other: string, { uses: { semantics }, words }: Asked): boolean {
  const surfaces = semantics.valueMappings.flatMap((one) => (`${one.value}` === value ? one.surface : []));
  const shared = stemsIn(other);
  const stems = [value, ...surfaces].flatMap((text) => [...stemsIn(text)]);
  const own = new Set(stems.filter((stem) => !shared.has(stem)));
  return surfaces.some((text) => words.has(text)) || words.placesOfStems(own).length > 0;
}

/** With its capitals, and as no part of a longer name or of what people have named. */
function isNamedAsWritten(value: string, { semantics }: QueryUses, words: QuestionWords): boolean {
  if (!/^\p{Lu}.*[\p{L}\p{N}]/u.test(value)) return false;
  const { metrics, dimensions, datasets } = semantics;
  const names = [...metrics, ...dimensions, ...datasets].flatMap(({ name, synonyms }) => [name, ...synonyms]);
  return words
    .placesOf(value)
    .some(
      (place) =>
        words.rawAt(place) === value &&
        !words.isNegated(place) &&
        !words.isInsideName(place) &&
        !names.some((name) =>
          words.placesOf(name).some((other) => overlaps(other, place) && lengthOf(other) >= lengthOf(place)),
        ),
    );
}

function textFor({ said, value, column }: SaidValue, uses: QueryUses): string {
  const others = conditionsOn(column, uses).flatMap(({ node }) => literalsIn(node));
  const how =
    others.length === 0 ? 'does not compare it' : `compares it with ${[...new Set(others)].join(', ')}`;
  return `“${said}” is stored as ${JSON.stringify(value)} in ${column}, and the query ${how}`;
}

/** The longest surfaces first; a word of somebody's name stands for nothing. */
function saidValues(uses: QueryUses, words: QuestionWords): readonly SaidValue[] {
  const found = uses.semantics.valueMappings.flatMap((mapping) =>
    mapping.surface.flatMap((said) =>
      words
        .placesOf(said)
        .filter((place) => !words.isInsideName(place) || /\p{Lu}/u.test(said))
        .map((place) => ({ ...mapping, said, place })),
    ),
  );
  const literals = textsOf(uses);
  const isRead = ({ column }: SaidValue): boolean => uses.reads(tableOf(column)).length > 0;
  return found.filter(
    ({ place, said, ...one }) =>
      !found.some(
        (other) =>
          overlaps(other.place, place) &&
          lengthOf(other.place) > lengthOf(place) &&
          // “still open” of claims says nothing of open invoices.
          (isRead(other) || !isRead({ place, said, ...one })),
      ) && !isInsideLiteral(place, said, { literals, words }),
  );
}

function lengthOf({ start, end }: Place): number {
  return end - start;
}

function textsOf({ nodes }: QueryUses): readonly string[] {
  return nodes.flatMap(({ type, flags, value = '' }) =>
    type === 'Literal' && flags.string !== undefined ? [value] : [],
  );
}

/** Texts that are compared with columns of other tables which the question names right beside the word: “electric brands”. */
function textsBeside({ column, place }: SaidValue, { uses, words }: Covering): readonly string[] {
  const own = new Set(uses.reads(tableOf(column)));
  const near = { start: place.start - 1, end: place.end + 1 };
  return uses.mentions.flatMap(({ node, source, id }) => {
    const condition = own.has(source) ? undefined : conditionOf(node);
    if (condition === undefined) return [];
    const isNamed = namesFor(id, uses).some((name) =>
      words.placesOf(name).some((one) => overlaps(one, near)),
    );
    return isNamed ? literalsIn(condition).map((value) => `${value}`) : [];
  });
}

/** The word is a value of something else that is named right beside it: “the electric segment”, “our electric marque”. */
function isOfAnother(one: SaidValue, asked: Covering): boolean {
  const { place, said, surface, column } = one;
  const { uses, words } = asked;
  const stems = stemsIn([said, ...surface].join(' '));
  if (textsBeside(one, asked).some((text) => [...stemsIn(text)].some((stem) => stems.has(stem)))) return true;
  const near = { start: place.start - 1, end: place.end + 1 };
  const { dimensions, datasets } = uses.semantics;
  return dimensions.some(({ name, synonyms, description = '', table, column: own }) => {
    const isRival = uses.semantics.valueMappings.some(
      (mapping) => mapping.column === own && mapping.surface.includes(said),
    );
    if (own === column || isRival || !wordsOf(description).some(({ plain }) => plain === said.toLowerCase()))
      return false;
    const homes = datasets.filter((dataset) => dataset.table === table);
    const names = [...homes, ...dimensions.filter((other) => other.table === table), { name, synonyms }];
    return names.some(({ name: first, synonyms: others }) =>
      [first, ...others].some((word) => words.placesOf(word).some((other) => overlaps(other, near))),
    );
  });
}

/** What a column, its table and what is grouped by it are called. */
function namesFor(id: string, uses: QueryUses): readonly string[] {
  const table = id.slice(0, id.lastIndexOf('.'));
  const { datasets, dimensions, fields = [] } = uses.semantics;
  const named = [
    ...datasets.filter((one) => uses.tableId(one.table) === table),
    ...[...dimensions, ...fields].filter((one) => uses.columnId(one.column) === id),
    ...dimensions.filter((one) => uses.tableId(one.table ?? '') === table),
  ];
  return [id.slice(table.length + 1), ...named.flatMap(({ name, synonyms }) => [name, ...synonyms])];
}

/** The question and the query both have a longer name that the word is part of. */
function isInsideLiteral(
  place: Place,
  said: string,
  { literals, words }: { readonly literals: readonly string[]; readonly words: QuestionWords },
): boolean {
  return literals.some(
    (text) =>
      text.length > said.length &&
      words
        .placesOf(text.replace(/^%|%$/g, ''))
        .some((whole) => overlaps(whole, place) && lengthOf(whole) > lengthOf(place)),
  );
}

interface Met extends Asked {
  readonly named: readonly SaidValue[];
}

/** A condition lets the value pass and no other that has a word of its own which is not said. */
function isMet(one: SaidValue, { named, uses, words }: Met): boolean {
  const { column, value, place } = one;
  const said = [...conditionsOn(column, uses), ...conditionsOnNamesakes(one, uses)];
  // Where it is meant beside all else nothing has to be asked for it, only not left out.
  if (words.isWidened(place))
    return (
      !said.some((one) => one.within === undefined) || said.some((one) => lets(one, value, uses) !== false)
    );
  if (said.length === 0) return uses.mentionsOf(column).length > 0;
  const isNegated = words.isNegated(place);
  const own = uses.semantics.valueMappings.filter(
    (other) => other.column === column && other.value !== value,
  );
  const unsaid = own.filter(
    (other) => !named.some((spoken) => spoken.column === column && spoken.value === other.value),
  );
  return said.some((condition) => {
    const passes = lets(condition, value, uses);
    if (passes === undefined) return true;
    if (!passes)
      return words.isDenied(place) || ((isNegated || words.hasNegation) && isAbout(condition, value));
    if (isNegated) return !words.isDenied(place) || !isKeptAlone(condition, own, uses);
    return unsaid.every((other) => lets(condition, other.value, uses) !== true);
  });
}

/** The rows of the answer are those with the value that is denied, and no others. */
function isKeptAlone(condition: Said, others: readonly ValueMapping[], uses: QueryUses): boolean {
  const select = ancestor(condition.node, ({ type }) => type === 'Select');
  return (
    condition.within === undefined &&
    select?.role === 'root' &&
    others.length > 0 &&
    others.every(({ value }) => lets(condition, value, uses) === false)
  );
}

function isAbout({ node }: Said, value: ValueMapping['value']): boolean {
  return literalsIn(node).some((one) => `${one}`.toLowerCase() === `${value}`.toLowerCase());
}

/** The value in a column of the same name of another table that is read: the country of a depot beside that of a customer. */
function conditionsOnNamesakes({ column, value }: SaidValue, uses: QueryUses): readonly Said[] {
  const name = column.slice(column.lastIndexOf('.'));
  const own = uses.columnId(column);
  const others = [...new Set(uses.mentions.map(({ id }) => id))].filter(
    (id) => id !== own && id.endsWith(name),
  );
  return others.flatMap((id) => conditionsOn(id, uses)).filter((said) => isAbout(said, value));
}

function tableOf(column: string): string {
  return column.slice(0, column.lastIndexOf('.'));
}

/** The table is not read, and the rows of one that is have one of its rows each. */
function isInReach({ column }: SaidValue, uses: QueryUses): boolean {
  const reached = new Set(uses.sources.map(({ table }) => table?.id ?? ''));
  const [wanted] = [uses.tableId(tableOf(column))];
  for (let step = 0; step < MOST_LINKS; step += 1)
    for (const { from, to } of uses.semantics.relationships)
      if (reached.has(uses.tableId(from))) reached.add(uses.tableId(to));
  return reached.has(wanted);
}

const MOST_LINKS = 3;

interface Asked {
  readonly uses: QueryUses;
  readonly words: QuestionWords;
}

interface Covering extends Asked {
  readonly metrics: readonly NamedMetric[];
}

/** Something else of the query may be what the word is about: a metric, a dimension, a column or a value of that name. */
function isCovered(one: SaidValue, asked: Covering): boolean {
  const { place, said, column, surface } = one;
  const { metrics, uses, words } = asked;
  const { semantics } = uses;
  const isInMetric = metrics.some(({ places }) =>
    places.some((other) => other.start <= place.start && place.end <= other.end),
  );
  const isInDimension = [...semantics.dimensions, ...semantics.datasets].some(({ name, synonyms }) =>
    [name, ...synonyms].some((name) =>
      words.placesOf(name).some((other) => overlaps(other, place) && lengthOf(other) >= lengthOf(place)),
    ),
  );
  if (isInMetric || isInDimension) return true;
  const stems = stemsIn(surface.join(' '));
  const spoken = uses.mentions.flatMap(({ id }) => [...stemsIn(id.slice(id.lastIndexOf('.') + 1))]);
  const texts = textsBeside(one, asked).flatMap((text) => [...stemsIn(text)]);
  // A verb of a table that is not read says little: “how much was paid”.
  const isVerb =
    uses.reads(tableOf(column)).length === 0 && (/(?:ed|en)$/i.test(said) || SHORT_VERBS.has(stemOf(said)));
  return isVerb || [...spoken, ...texts].some((stem) => stems.has(stem));
}

const SHORT_VERBS: ReadonlySet<string> = new Set(['won', 'lost', 'done', 'paid', 'open', 'void', 'loss']);
