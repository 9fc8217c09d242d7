/** The words of a set operation: which one it is, and how it matches the columns of its branches. */
import type { Flags } from '../../tree/node.ts';
import { parseAnyName } from '../expressions/parse-names.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, type Draft } from '../reader/token-reader.ts';

const TYPES: Readonly<Record<string, string>> = {
  UNION: 'Union',
  INTERSECT: 'Intersect',
  EXCEPT: 'Except',
  MINUS: 'Except',
};

/** BigQuery: whose columns come out, before UNION and its kin. */
const SIDES: ReadonlySet<string> = new Set(['FULL', 'LEFT', 'INNER']);

/** The type of the set operation that begins here. */
export function setTypeAt(parser: Parser): string | undefined {
  return TYPES[parser.ahead(wordsBefore(parser))];
}

function wordsBefore(parser: Parser): number {
  if (!parser.grammar.pipes || !SIDES.has(parser.key)) return 0;
  return parser.ahead(1) === 'OUTER' ? 2 : 1;
}

export interface SetWords {
  readonly flags: Flags;
  /** Columns that alone are looked at, as `BY NAME ON (a, b)` says. */
  readonly columns: readonly Draft[];
}

/** Steps over `FULL OUTER UNION ALL BY NAME ON (a)`, `UNION CORRESPONDING BY (a)`. */
export function readSetWords(parser: Parser): SetWords {
  const side = wordsBefore(parser) > 0 ? parser.key : '';
  parser.move(parser.at + wordsBefore(parser) + 1);
  const flags: { all?: string; byName?: string } = {};
  if (parser.accept('ALL')) flags.all = 'true';
  else parser.accept('DISTINCT');
  const isStrict = parser.grammar.pipes && parser.accept('STRICT');
  const takesCorresponding = parser.grammar.pipes || parser.grammar.dialect === 'trino';
  let columns: readonly Draft[] = [];
  if (parser.acceptAll('BY', 'NAME')) {
    flags.byName = side === 'LEFT' ? 'left' : side === 'INNER' ? 'common' : 'true';
    if (parser.grammar.pipes && parser.accept('ON')) columns = parseColumns(parser);
  } else if (takesCorresponding && parser.accept('CORRESPONDING')) {
    flags.byName = isStrict || side === 'FULL' ? 'true' : side === 'LEFT' ? 'left' : 'common';
    if (parser.accept('BY')) columns = parseColumns(parser);
  } else if (isStrict || side !== '') throw parser.fault('BY NAME', 'CORRESPONDING');
  return { flags, columns };
}

function parseColumns(parser: Parser): readonly Draft[] {
  parser.expect('(');
  const columns = parser.list(() => parseAnyName(parser, 'a column'));
  parser.expect(')');
  return allAs('using', columns);
}
