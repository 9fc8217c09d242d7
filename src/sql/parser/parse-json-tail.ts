/** What ends the calls and columns of SQL/JSON: words alone. */
import type { Parser } from './rules.ts';

export const OCCASIONS: ReadonlySet<string> = new Set(['EMPTY', 'ERROR', 'NULL']);

const JSON_ON: ReadonlySet<string> = new Set([
  'NULL',
  'ABSENT',
  'ERROR',
  'EMPTY',
  'TRUE',
  'FALSE',
  'UNKNOWN',
]);
const WRAPPER_WORDS: ReadonlySet<string> = new Set(
  'WITH WITHOUT CONDITIONAL UNCONDITIONAL ARRAY WRAPPER KEEP OMIT QUOTES UNIQUE KEYS OBJECT'.split(' '),
);

/** SQL/JSON: `FORMAT JSON ENCODING UTF8` behind a value or a type. */
export function acceptJsonFormat(parser: Parser): void {
  if (parser.acceptAll('FORMAT', 'JSON') && parser.accept('ENCODING')) parser.advance();
}

/** SQL/JSON: `NULL ON EMPTY`, `EMPTY ARRAY ON ERROR`, `WITH ARRAY WRAPPER` and the like: words only. */
export function acceptJsonTail(parser: Parser): boolean {
  if (JSON_ON.has(parser.key) && parser.ahead(1) === 'ON' && OCCASIONS.has(parser.ahead(2))) {
    parser.move(parser.at + 3);
    return true;
  }
  if (parser.key === 'EMPTY' && parser.ahead(2) === 'ON' && OCCASIONS.has(parser.ahead(3))) {
    parser.move(parser.at + 4);
    return true;
  }
  if (!['WITH', 'WITHOUT', 'KEEP', 'OMIT'].includes(parser.key)) return false;
  while (WRAPPER_WORDS.has(parser.key)) parser.advance();
  parser.acceptAll('ON', 'SCALAR', 'STRING');
  return true;
}
