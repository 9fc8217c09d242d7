import type { Column } from '../../../catalog/index.ts';
import { splitName, stemOf } from '../../../language/index.ts';
import type { GroundedKnowledge } from '../knowledge/knowledge.ts';
import { isTimeLike, isYear } from './noun-candidates.ts';

/** When rows were written or changed says nothing about what they tell of. */
const AUDIT = /(?:^|_)(?:last|modified|changed|updated?|loaded|inserted|synced|deleted)(?:_|$)/;
const TIME_WORDS = new Set('date time at on dt ts day timestamp datetime utc'.split(' '));

/** Columns of a table that hold a day or a moment. */
export function datesOf(tableId: string, { graph }: GroundedKnowledge): readonly Column[] {
  return graph
    .table(tableId)
    .columns.filter(
      (column) => isTimeLike(column) && !isYear(column) && !AUDIT.test(splitName(column.name).join('_')),
    );
}

/** The date on which a row came to be: the only one, that of its figures, or the one that is called like its table. */
export function ownDate(tableId: string, knowledge: GroundedKnowledge): Column | undefined {
  const dates = datesOf(tableId, knowledge).filter(({ name }) => !isOfLife(name));
  const [only, second] = dates;
  if (second === undefined) return only;
  const { graph, semantics } = knowledge;
  const measured = semantics.metrics.find(
    ({ table, timeColumn, filters, name }) =>
      table === tableId &&
      timeColumn !== undefined &&
      filters.length === 0 &&
      calledSo(tableId, knowledge).some((called) => isSameThing(name, called)),
  )?.timeColumn;
  const own = dates.filter(({ name }) => isCalledLike(name, graph.table(tableId).name));
  return dates.find(({ id }) => id === measured) ?? (own.length === 1 ? own[0] : undefined);
}

/** When somebody was born or died is not when the row came to be: the newest employee is the one hired last. */
export function isOfLife(name: string): boolean {
  return /(?:^|_)(?:birth|born|dob|death|died|bday|birthday|birthdate)(?:_|$)/.test(
    splitName(name).join('_'),
  );
}

/** What the rows of a table are called, by its own name and by those that somebody wrote down. */
function calledSo(tableId: string, { graph, semantics }: GroundedKnowledge): readonly string[] {
  const written = semantics.datasets.filter(({ table }) => table === tableId);
  return [graph.table(tableId).name, ...written.flatMap(({ name, synonyms }) => [name, ...synonyms])];
}

function isSameThing(one: string, other: string): boolean {
  return splitName(one).map(stemOf).join(' ') === splitName(other).map(stemOf).join(' ');
}

/** `order_date` of orders, `rental_date` of rental, `date` of anything. */
function isCalledLike(column: string, table: string): boolean {
  const own = new Set(splitName(table).map(stemOf));
  return splitName(column).every((word) => TIME_WORDS.has(word) || own.has(stemOf(word)));
}

/** The date that a verb or a noun speaks of: "shipped", "shipping" and "shipment" of `ShippedDate`; none where several do. */
export function dateCalled(word: string, tableId: string, knowledge: GroundedKnowledge): Column | undefined {
  const wanted = stemOf(word.toLowerCase());
  const called = datesOf(tableId, knowledge).filter(({ name }) =>
    splitName(name).some((part) => !TIME_WORDS.has(part) && isSameFamily(stemOf(part), wanted)),
  );
  return called.length === 1 ? called[0] : undefined;
}

/** "delivery" and `delivered`, "return" and `returned`. */
function isSameFamily(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  if (length < 4) return one === other;
  let same = 0;
  while (same < length && one[same] === other[same]) same += 1;
  return same >= 4 && Math.max(one.length, other.length) - same <= 3;
}
