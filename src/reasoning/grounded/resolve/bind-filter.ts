import type { Column } from '../../../catalog/index.ts';
import { splitName } from '../../../language/index.ts';
import type { FilterSlot, Operand, StatisticOperand } from '../compose/frame/frame.ts';
import type { SchemaGraph } from '../query/graph/schema-graph.ts';
import { type Mention, type ValueMatch, withoutQuotes } from '../question/mention/mention.ts';
import { flagValues } from '../question/read/flag-values.ts';
import { bindTime, filterChoice } from './bind-time.ts';
import type { BoundFilter, BoundOperand, Choice } from './bound.ts';
import { inUnits, measuredIn, saidUnit } from './in-units.ts';
import {
  attributeChoices,
  columnChoices,
  isMeasure,
  isNumeric,
  isTimeLike,
  onlyMeasures,
  type ResolveContext,
  tableChoices,
} from './noun-candidates.ts';

/** The ways to bind a condition: which column it speaks of and what it is compared with. */
export function bindFilter(slot: FilterSlot, context: ResolveContext): Choice<BoundFilter>[] {
  const operand = slot.operands[0];
  if (slot.operator === 'null' || operand === undefined)
    return onNoun(slot, context, () => true, []).map(asNothing);
  if (operand.mention.time !== undefined && operand.kind === 'value') {
    const timed = bindTime(slot, context);
    if (timed.length > 0) return timed;
  }
  switch (operand.kind) {
    case 'number':
      return bindNumber(slot, context);
    case 'statistic':
      return bindStatistic(slot, operand, context);
    case 'text':
      return bindText(slot, context);
    case 'value':
      if (slot.isSame) return bindSameAs(slot, context);
      return /^[<>]=?$/.test(slot.operator) ? bindRowValue(slot, context) : bindValue(slot, operand, context);
  }
}

/** "older than Tom": compared with the same column of the row that the value names. */
function bindRowValue(slot: FilterSlot, context: ResolveContext): Choice<BoundFilter>[] {
  const named =
    slot.noun === undefined
      ? []
      : columnChoices(slot.noun, context, isMeasure).map((item) => ({ ...item, isReversed: false }));
  const attributes = attributeChoices(slot.attributes, context, isMeasure);
  const rows = bindValue(
    { ...slot, noun: undefined, operator: '=', connective: 'and', isNegated: false },
    slot.operands[0],
    context,
  );
  return (named.length > 0 ? named : attributes).flatMap(({ column, score, isReversed }) => {
    const row = rows.find((item) => item.value.column.tableId === column.tableId);
    if (row === undefined) return [];
    const operand: BoundOperand = { kind: 'statistic', column, filters: [row.value] };
    return [
      filterChoice(
        slot,
        column,
        [operand],
        Math.min(score, row.score),
        isReversed ? mirrored(slot.operator) : slot.operator,
      ),
    ];
  });
}

/** "without discount", where nothing is missing and many rows have none: zero is what is stored for it. */
function asNothing(choice: Choice<BoundFilter>): Choice<BoundFilter> {
  const { value } = choice;
  const { nullCount, min } = value.column.profile ?? {};
  const isZero = isNumeric(value.column) && nullCount === 0 && Number(min) === 0 && min !== undefined;
  if (value.operator !== 'null' || !isZero) return choice;
  const operator = value.isNegated ? '<>' : '=';
  const operands: readonly BoundOperand[] = [{ kind: 'literal', value: 0 }];
  return { ...choice, value: { ...value, operator, operands, isNegated: false } };
}

/** "the same city as Ana": a column of the row that the value names, or the key by which that row points to what is named. */
function bindSameAs(slot: FilterSlot, context: ResolveContext): Choice<BoundFilter>[] {
  const { noun } = slot;
  if (noun === undefined) return [];
  const rows = bindValue(
    { ...slot, noun: undefined, isSame: undefined, operator: '=' },
    slot.operands[0],
    context,
  );
  const pointing = tableChoices(noun).flatMap(({ tableId, score }) =>
    rows.flatMap(({ value }) =>
      context.graph
        .edges(value.column.tableId)
        .filter((edge) => edge.to === tableId && !edge.multiplies && edge.fromColumns.length === 1)
        .map((edge) => ({ column: context.graph.column(edge.fromColumns[0] ?? ''), score })),
    ),
  );
  const columns = columnChoices(noun, context, () => true);
  return [...columns, ...pointing].flatMap(({ column, score }) => {
    const row = rows.find((item) => item.value.column.tableId === column.tableId);
    if (row === undefined || row.value.column.id === column.id) return [];
    const operand: BoundOperand = { kind: 'statistic', column, filters: [row.value] };
    return [filterChoice(slot, column, [operand], Math.min(score, row.score))];
  });
}

/** A column of the table that the question says has it. */
const OWN_COLUMN = 0.25;

function onNoun(
  slot: FilterSlot,
  context: ResolveContext,
  fits: (column: Column) => boolean,
  operands: readonly BoundOperand[],
): Choice<BoundFilter>[] {
  if (slot.noun === undefined) return [];
  const owners = new Set(slot.owner && tableChoices(slot.owner).map(({ tableId }) => tableId));
  return columnChoices(slot.noun, context, fits).map(({ column, score }) =>
    filterChoice(
      slot,
      column,
      operands,
      score + (owners.has(column.tableId) ? OWN_COLUMN : 0) + (isWhenDone(slot, column) ? OWN_COLUMN : 0),
    ),
  );
}

/** "have not been shipped": what is missing is the day on which it was done. */
function isWhenDone({ operator, noun }: FilterSlot, column: Column): boolean {
  return operator === 'null' && /(?:ed|en|wn)$/i.test(noun?.text ?? '') && isTimeLike(column);
}

function bindNumber(slot: FilterSlot, context: ResolveContext): Choice<BoundFilter>[] {
  const operands = slot.operands.flatMap((operand): BoundOperand[] =>
    operand.kind === 'number' ? [{ kind: 'literal', value: asWritten(operand) }] : [],
  );
  if (slot.attributes[0] === 'key' && slot.noun !== undefined)
    return onKey(slot, slot.noun, operands, context);
  const unit = saidUnit(slot);
  const fits = slot.operator === '=' && unit === undefined ? () => true : isMeasure;
  const named = inUnits(onNoun(slot, context, fits, operands), unit).map((item) => ({
    ...item,
    score: item.score + inRange(item.value.column, item.value.operands),
  }));
  if (named.length > 0) return named;
  const told = attributeChoices(slot.attributes, context, isMeasure);
  const attributes = inUnits(
    told.map(({ column, score, isReversed }) =>
      filterChoice(slot, column, operands, score, isReversed ? mirrored(slot.operator) : slot.operator),
    ),
    unit,
  );
  if (unit !== undefined) {
    const known = new Set(told.map(({ column }) => column.id));
    const measured = measuredIn(unit, context).filter(({ column }) => !known.has(column.id));
    const others = measured.map(({ column, score }) => filterChoice(slot, column, operands, score));
    return [...attributes, ...inUnits(others, unit)];
  }
  if (attributes.length > 0) return attributes;
  return slot.noun !== undefined || slot.attributes.length > 0
    ? []
    : onlyMeasures(context).flatMap(({ column, score }) =>
        inRange(column, operands) >= 0
          ? [filterChoice(slot, column, operands, score)]
          : [
              ...keysInRange(slot, column.tableId, operands, context),
              filterChoice(slot, column, operands, 0),
            ],
      );
}

/** "orders between 10250 and 10255": no figure is as large, the numbers of the orders are. */
function keysInRange(
  slot: FilterSlot,
  tableId: string,
  operands: readonly BoundOperand[],
  { graph }: ResolveContext,
): Choice<BoundFilter>[] {
  const [key, second] = graph.table(tableId).primaryKey;
  if (key === undefined || second !== undefined || inRange(graph.column(key), operands) <= 0) return [];
  return [filterChoice(slot, graph.column(key), operands, 0.6)];
}

/** "00192" is a code: what a column of texts holds keeps its zeros. */
function asWritten({ number, mention }: Extract<Operand, { kind: 'number' }>): string | number {
  return /^0\d+$/.test(mention.text) ? mention.text : number;
}

/** The row of a table that a number names, by its key of one column. */
function onKey(
  slot: FilterSlot,
  noun: Mention,
  operands: readonly BoundOperand[],
  context: ResolveContext,
): Choice<BoundFilter>[] {
  return tableChoices(noun).flatMap(({ tableId, score }) => {
    const [key, second] = context.graph.table(tableId).primaryKey;
    return key === undefined || second !== undefined
      ? []
      : [filterChoice(slot, context.graph.column(key), operands, score * 0.9)];
  });
}

/** How many columns are tried for one condition. */
const MAX_CHOICES = 8;

/** The best choices, those in tables that the question names first among equals. */
function likeliest(choices: readonly Choice<BoundFilter>[], context: ResolveContext): Choice<BoundFilter>[] {
  const weight = (item: Choice<BoundFilter>): number =>
    item.score + 0.3 * (context.named.get(item.value.column.tableId) ?? 0);
  return [...choices].sort((a, b) => weight(b) - weight(a)).slice(0, MAX_CHOICES);
}

/** A literal outside what the column holds is unlikely to be meant for it. */
function inRange(column: Column, operands: readonly BoundOperand[]): number {
  const { min, max } = column.profile ?? {};
  if (flagValues(column) !== undefined) return 0;
  if (!isNumeric(column) || min === undefined || max === undefined) return isNumeric(column) ? 0 : -0.2;
  const inside = operands.every(
    (operand) =>
      operand.kind === 'literal' &&
      Number(operand.value) >= Number(min) &&
      Number(operand.value) <= Number(max),
  );
  return inside ? 0.1 : -0.1;
}

function mirrored(operator: FilterSlot['operator']): FilterSlot['operator'] {
  return operator === '>'
    ? '<'
    : operator === '<'
      ? '>'
      : operator === '>='
        ? '<='
        : operator === '<='
          ? '>='
          : operator;
}

function bindStatistic(
  slot: FilterSlot,
  operand: StatisticOperand,
  context: ResolveContext,
): Choice<BoundFilter>[] {
  const nouns = [slot.noun, operand.noun].filter((noun): noun is Mention => noun !== undefined);
  const named = nouns.flatMap((noun) => columnChoices(noun, context, isNumeric));
  const attributes = attributeChoices(slot.attributes, context, isMeasure);
  // "invoices below average": the one figure that the table holds.
  const isOpen = nouns.length === 0 && slot.attributes.length === 0;
  const only = isOpen ? onlyMeasures(context) : [];
  return [...[...named, ...only].map((item) => ({ ...item, isReversed: false })), ...attributes].map(
    ({ column, score, isReversed }) => {
      const filters = operand.filters.flatMap(
        (filter) => nearestFilter(filter, column.tableId, context) ?? [],
      );
      const isComplete = filters.length === operand.filters.length;
      return filterChoice(
        slot,
        column,
        [{ kind: 'statistic', function: operand.function, column, filters }],
        isComplete ? score : score - 0.5,
        isReversed ? mirrored(slot.operator) : slot.operator,
      );
    },
  );
}

/** The condition as it binds nearest to a table. */
export function nearestFilter(
  slot: FilterSlot,
  tableId: string,
  context: ResolveContext,
): BoundFilter | undefined {
  const nearer = ({ value, score }: Choice<BoundFilter>): number => {
    const distance = context.graph.distance(value.column.tableId, tableId);
    return score - (distance < 0 ? 2 : distance * 0.3);
  };
  return bindFilter(slot, context).sort((a, b) => nearer(b) - nearer(a))[0]?.value;
}

function bindText(slot: FilterSlot, context: ResolveContext): Choice<BoundFilter>[] {
  const operands = slot.operands.map(
    (operand): BoundOperand => ({
      kind: 'literal',
      value: operand.kind === 'text' ? operand.text : withoutQuotes(operand.mention),
    }),
  );
  const isPattern = slot.operator.startsWith('like');
  const named = onNoun(
    slot,
    context,
    (column) => column.family === 'text' || column.family === 'time' || isPattern,
    operands,
  );
  if (named.length > 0) return named;
  // A period is no text.
  if (slot.operands.some(({ mention }) => mention.time !== undefined)) return [];
  // A quoted word that no column holds, with no column named: the names of the tables in question are meant.
  return [...context.named.keys()].flatMap((tableId) =>
    context.graph
      .table(tableId)
      .columns.filter((column) => column.family === 'text' && /name|title/i.test(column.name))
      .map((column) => filterChoice(slot, column, operands, 0.35)),
  );
}

/** Among like columns that hold a value, the one that "from" or "to" speaks of. */
const ON_THE_WAY = 0.15;

function isOnTheWay({ attributes }: FilterSlot, columnId: string, { graph }: ResolveContext): boolean {
  return splitName(graph.column(columnId).name).some((word) => attributes.includes(word));
}

function bindValue(
  slot: FilterSlot,
  operand: Operand | undefined,
  context: ResolveContext,
): Choice<BoundFilter>[] {
  if (operand === undefined) return [];
  const others = slot.operands.slice(1);
  const nounColumns = new Map(
    slot.noun === undefined
      ? []
      : columnChoices(slot.noun, context, () => true).map((item) => [item.column.id, item.score]),
  );
  const choices: Choice<BoundFilter>[] = [];
  for (const hit of operand.mention.values) {
    const rest = others.flatMap(({ mention }) => mention.values.find((value) => isLike(value, hit)) ?? []);
    if (rest.length < others.length) continue;
    const variants = hit.beside === undefined ? variantsOf(hit, operand.mention.values) : [];
    const operands = [hit, ...rest]
      .map(({ value }) => value)
      .concat(variants)
      .map((value): BoundOperand => ({ kind: 'literal', value }));
    const named = nounColumns.get(hit.columnId);
    const score =
      hit.score * 0.9 +
      (isOnTheWay(slot, hit.columnId, context) ? ON_THE_WAY : 0) +
      (slot.noun === undefined ? 0 : named === undefined ? -0.35 : named * 0.3) -
      (slot.isOwner && (context.named.get(hit.tableId) ?? 0) > 0.9 ? 0.3 : 0);
    const said = variants.length === 0 ? slot : { ...slot, isAll: false };
    const column = context.graph.column(hit.columnId);
    const choice = filterChoice(said, column, operands, score);
    const beside = besideOf([hit, ...rest], context.graph);
    const value = holding(beside === undefined ? choice.value : { ...choice.value, beside }, hit);
    choices.push({ ...choice, value });
  }
  if (choices.length > 0) return likeliest(choices, context);
  return bindText(slot, context);
}

/** "films with trailers", where a text lists several features: the list holds it among others. */
function holding(filter: BoundFilter, { value }: ValueMatch): BoundFilter {
  const isNot = filter.operator === '<>';
  if (!isNot && filter.operator !== '=') return filter;
  if (!listParts(filter.column).has(String(value))) return filter;
  return { ...filter, operator: 'like-anywhere', isNegated: filter.isNegated !== isNot };
}

/** Of the same column, and with the other half of a name where that has one. */
function isLike(a: ValueMatch, b: ValueMatch): boolean {
  return a.columnId === b.columnId && a.beside?.columnId === b.beside?.columnId;
}

/** 'COMPLETED' beside 'completed': one value in two spellings of its letters. */
function variantsOf(hit: ValueMatch, values: readonly ValueMatch[]): readonly (string | number)[] {
  const folded = String(hit.value).toLowerCase();
  return values
    .filter(({ columnId, value }) => columnId === hit.columnId && value !== hit.value)
    .map(({ value }) => value)
    .filter((value) => String(value).toLowerCase() === folded);
}

/** The other halves of full names, one for each value; none where a value is no half of a name. */
export function besideOf(values: readonly ValueMatch[], graph: SchemaGraph): BoundFilter['beside'] {
  const halves = values.map(({ beside }) => beside);
  const [first] = halves;
  if (first === undefined) return undefined;
  return {
    column: graph.column(first.columnId),
    operands: halves.flatMap((half) => (half === undefined ? [] : [{ kind: 'literal', value: half.value }])),
  };
}

const SEPARATOR = /\s*[,;|]\s*/;

/** The things that the texts of a column are lists of: "Trailers,Commentaries" and "Trailers" hold two. None of a column of plain texts. */
function listParts({ family, profile }: Pick<Column, 'family' | 'profile'>): ReadonlySet<string> {
  const texts = profile?.allValues ?? profile?.examples ?? [];
  const lists = texts.map((text) => text.split(SEPARATOR));
  const parts = new Set(lists.flat());
  const many = lists.filter(({ length }) => length > 1).length;
  // "Salem, OR" and "Doe, Jane": as many different parts as texts.
  const isList = family === 'text' && many >= 3 && many * 2 >= texts.length && parts.size < texts.length;
  return isList ? parts : NONE;
}

const NONE: ReadonlySet<string> = new Set();
