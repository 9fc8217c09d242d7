/** What stands behind a table and is neither alias nor sample: versions in time, index hints, partitions. */
import { as, type Draft } from './draft.ts';
import { LEVEL } from './grammar.ts';
import { parseAnyName } from './parse-names.ts';
import type { Parser } from './rules.ts';

/** `FOR SYSTEM_TIME AS OF x`, `FOR VERSION AS OF 3`, Snowflake's `AT (TIMESTAMP => x)` and `BEFORE (…)`. */
export function parseVersion(parser: Parser): Draft | undefined {
  const { start } = parser;
  const kind = parser.ahead(1);
  if (parser.looksAt('FOR', 'SYSTEM', 'TIME')) {
    parser.move(parser.at + 3);
    parser.expect('AS', 'OF');
    return parser.node('Version', start, [as('this', parser.rules.expression(parser))], undefined, { kind });
  }
  if (parser.key === 'FOR' && ['SYSTEM_TIME', 'TIMESTAMP', 'VERSION'].includes(kind)) {
    parser.move(parser.at + 2);
    return parser.node('Version', start, parsePeriod(parser), undefined, { kind });
  }
  if (parser.grammar.connectBy && parser.looksAt('CHANGES', '(', 'INFORMATION', '=>')) {
    parser.move(parser.at + 4);
    if (!parser.accept('DEFAULT')) parser.expect('APPEND_ONLY');
    parser.expect(')');
    if (!isTravel(parser, ['AT', 'BEFORE'])) throw parser.fault('AT', 'BEFORE');
    const places = [as('this', parseTravel(parser).place)];
    if (isTravel(parser, ['END'])) places.push(as('expression', parseTravel(parser).place));
    return parser.node('Version', start, places, undefined, { kind: 'CHANGES' });
  }
  if (!isTravel(parser, ['AT', 'BEFORE'])) return undefined;
  const { word, place } = parseTravel(parser);
  return parser.node('Version', start, [as('this', place)], undefined, { kind: word });
}

/** `AT (TIMESTAMP => x)` and its kin begin here. */
function isTravel(parser: Parser, words: readonly string[]): boolean {
  return words.includes(parser.key) && parser.ahead(1) === '(' && parser.ahead(3) === '=>';
}

function parseTravel(parser: Parser): { readonly word: string; readonly place: Draft } {
  parser.advance();
  parser.expect('(');
  const word = parser.advance().text.toUpperCase();
  parser.expect('=>');
  const place = parser.rules.expression(parser);
  parser.expect(')');
  return { word, place };
}

/** `AS OF x`; MariaDB: `BETWEEN x AND y`, `FROM x TO y`, `ALL`. */
function parsePeriod(parser: Parser): Draft[] {
  if (!parser.grammar.mysqlWords || parser.key === 'AS') {
    parser.expect('AS', 'OF');
    return [as('this', parser.rules.expression(parser))];
  }
  if (parser.accept('ALL')) return [];
  const second = parser.accept('BETWEEN') ? 'AND' : 'TO';
  if (second === 'TO') parser.expect('FROM');
  const from = as('this', parser.rules.expression(parser, LEVEL.other));
  parser.expect(second);
  return [from, as('expression', parser.rules.expression(parser, LEVEL.other))];
}

/** `INDEXED BY i`, `NOT INDEXED`, `USE INDEX (i)`: hints that change no result; and `PARTITION (p)`. */
export function parseTableHint(parser: Parser): Draft | undefined {
  const { start, key, at } = parser;
  if (!acceptHint(parser)) return undefined;
  const words = Array.from({ length: parser.at - at }, (_, place) => {
    const distance = at - parser.at + place;
    return parser.ahead(distance) || parser.tokenAhead(distance)?.text;
  });
  const kind = key === 'PARTITION' ? key : 'INDEX';
  return parser.node('TableHint', start, [], words.join(' '), { kind });
}

function acceptHint(parser: Parser): boolean {
  if (parser.acceptAll('NOT', 'INDEXED')) return true;
  if (parser.acceptAll('INDEXED', 'BY')) {
    parseAnyName(parser, 'an index');
    return true;
  }
  if (!parser.grammar.mysqlWords) return false;
  const isHint =
    ['USE', 'FORCE', 'IGNORE'].includes(parser.key) && ['INDEX', 'KEY'].includes(parser.ahead(1));
  const isPartition = parser.key === 'PARTITION' && parser.ahead(1) === '(';
  if (!isHint && !isPartition) return false;
  while (!parser.isAt('(')) parser.advance();
  parser.expect('(');
  while (parser.kind === 'word' || parser.kind === 'quoted-name' || parser.isAt(',')) parser.advance();
  parser.expect(')');
  return true;
}
