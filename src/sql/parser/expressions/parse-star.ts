/** What may follow a star in a select list: EXCEPT, EXCLUDE, REPLACE, RENAME. */
import { as, type Draft } from '../reader/draft.ts';
import type { Parser } from '../reader/rules.ts';
import { parseAnyName } from './parse-names.ts';

export function parseStarChanges(parser: Parser): Draft[] {
  const changes: Draft[] = [];
  for (;;) {
    const role = roleAt(parser);
    if (role === undefined) return changes;
    parser.advance();
    const read = { except: parseExcepted, replace: parseReplaced, rename: parseRenamed }[role];
    const isList = parser.accept('(');
    const items = isList ? parser.list(() => read(parser)) : [read(parser)];
    if (isList) parser.expect(')');
    for (const item of items) changes.push(as(role, item));
  }
}

function roleAt(parser: Parser): 'except' | 'replace' | 'rename' | undefined {
  const isList = parser.ahead(1) === '(';
  switch (parser.key) {
    case 'EXCEPT':
      return isList && parser.ahead(2) !== 'SELECT' && parser.ahead(2) !== '(' ? 'except' : undefined;
    case 'EXCLUDE':
      return 'except';
    case 'REPLACE':
      return isList ? 'replace' : undefined;
    case 'RENAME':
      return 'rename';
    default:
      return undefined;
  }
}

function parseExcepted(parser: Parser): Draft {
  const first = parseAnyName(parser, 'a column');
  if (!parser.accept('.')) return first;
  const column = parseAnyName(parser, 'a column');
  return parser.node('Column', first.start, [as('table', first), as('this', column)]);
}

function parseReplaced(parser: Parser): Draft {
  const value = parser.rules.expression(parser);
  parser.expect('AS');
  return parser.node('Alias', value.start, [as('this', value), as('alias', parseAnyName(parser))]);
}

function parseRenamed(parser: Parser): Draft {
  const column = parseAnyName(parser, 'a column');
  parser.expect('AS');
  return parser.node('Alias', column.start, [as('this', column), as('alias', parseAnyName(parser))]);
}
