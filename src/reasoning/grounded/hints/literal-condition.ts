import type { Column } from '../../../catalog/index.ts';
import type { ColumnNames, LiteralCondition } from './definition.ts';
import type { HintNames } from './hint-names.ts';

/**
 * A comparison of a column with literals, as the database stores them: `gender = 'female'` → `'Female'`. Where the
 * column itself does not hold the text and is a key, the text is looked for in the table that it leads to.
 */
export function literalCondition(given: LiteralCondition, names: HintNames): LiteralCondition {
  const condition = asPattern({ ...given, values: given.values.map(asDay) });
  if (condition.operator !== '=' && condition.operator !== 'in') return condition;
  const holding = holders(condition.columns, condition.values, names);
  if (holding !== undefined) return { ...condition, ...holding };
  const referred = condition.columns.flatMap((column) => names.referred(column));
  const texts = condition.values.every((value) => typeof value === 'string');
  return { ...condition, ...(texts ? holders(referred, condition.values, names) : undefined) };
}

/** The columns that store all of the values, and how they are written there. */
function holders(
  columns: ColumnNames,
  values: readonly (string | number)[],
  names: HintNames,
): Pick<LiteralCondition, 'columns' | 'values'> | undefined {
  const storedIn = (column: Column): (string | number)[] | undefined => {
    const stored = values.map((value) => names.stored(column, String(value)));
    return stored.some((value) => value === undefined) ? undefined : stored.flatMap((value) => value ?? []);
  };
  const holding = columns.filter((column) => storedIn(column) !== undefined);
  const [first] = holding;
  const written = first === undefined ? undefined : storedIn(first);
  return written === undefined ? undefined : { columns: holding, values: written };
}

/** `2019-8-2` and `2019/8/2` as days are stored: `2019-08-02`. */
function asDay(value: string | number): string | number {
  const [, year, month = '', day = ''] =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(String(value).trim()) ?? [];
  return year === undefined ? value : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** `name = '%x%'` and `name LIKE 'x%'`: a pattern with a plain text inside, where it is one. */
function asPattern(condition: LiteralCondition): LiteralCondition {
  const [only, second] = condition.values;
  const isPattern = condition.operator === 'like-anywhere' || condition.operator === '=';
  if (typeof only !== 'string' || second !== undefined || !isPattern || !/^%|%$/.test(only))
    return condition.operator === 'like-anywhere' ? { ...condition, operator: '=' } : condition;
  const text = only.replace(/^%|%$/g, '');
  const operator = !only.startsWith('%') ? 'like-start' : only.endsWith('%') ? 'like-anywhere' : 'like-end';
  return { ...condition, operator, values: [text] };
}
