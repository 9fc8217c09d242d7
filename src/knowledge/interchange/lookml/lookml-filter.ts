/** Looker's filter expressions on one field, as far as they are plain comparisons. */

/** What kind of values a field has. */
export type FilterType = 'string' | 'number' | 'yesno' | 'other';

/**
 * The condition that `column` meets for a filter such as `shipped`, `a,b`, `-x`, `>= 5`, `yes`, `NULL`. `undefined` for
 * dates in words, patterns and whatever else has no plain comparison.
 */
export function filterCondition(column: string, filter: string, type: FilterType): string | undefined {
  const text = filter.trim();
  if (/^-?null$/i.test(text)) return `${column} IS ${text.startsWith('-') ? 'NOT ' : ''}NULL`;
  switch (type) {
    case 'yesno':
      return /^(?:yes|no)$/i.test(text) ? (/^yes$/i.test(text) ? column : `NOT (${column})`) : undefined;
    case 'number':
      return numberCondition(column, text);
    case 'string':
      return textCondition(column, text);
    default:
      return undefined;
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

function numberCondition(column: string, text: string): string | undefined {
  const [, operator = '', value = ''] = /^(>=|<=|>|<|!=|<>|=|not\b)?\s*(-?\d+(?:\.\d+)?)$/i.exec(text) ?? [];
  if (value !== '')
    return `${column} ${{ '': '=', not: '<>', '!=': '<>' }[operator.toLowerCase()] ?? operator} ${value}`;
  const items = text.split(',').map((item) => item.trim());
  return items.length > 1 && items.every((item) => NUMBER.test(item))
    ? `${column} IN (${items.join(', ')})`
    : undefined;
}

function textCondition(column: string, text: string): string | undefined {
  // `%`, `_` and `^` make patterns, quotes and words such as EMPTY have meanings of their own.
  if (/[%_^"{}]/.test(text) || /^-?(?:empty|not )/i.test(text) || text === '') return undefined;
  const items = text.split(',').map((item) => item.trim());
  const isNot = items.every((item) => item.startsWith('-'));
  if (items.some((item) => item === '' || (!isNot && item.startsWith('-')))) return undefined;
  const values = items.map((item) => `'${(isNot ? item.slice(1) : item).replaceAll("'", "''")}'`);
  if (values.length === 1) return `${column} ${isNot ? '<>' : '='} ${values[0]}`;
  return `${column} ${isNot ? 'NOT ' : ''}IN (${values.join(', ')})`;
}
