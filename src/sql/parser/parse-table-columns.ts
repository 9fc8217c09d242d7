/** The COLUMNS of JSON_TABLE and XMLTABLE. */
import { as, type Draft } from './draft.ts';
import { LEVEL } from './grammar.ts';
import { acceptJsonTail, OCCASIONS } from './parse-json-tail.ts';
import { parseAnyName } from './parse-names.ts';
import type { Parser } from './rules.ts';

/** `COLUMNS (a INT PATH '$.a', …)`; XMLTABLE has no brackets. */
export function parseTableColumns(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('COLUMNS');
  const isBracketed = parser.accept('(');
  const columns = parser.list(() =>
    as(
      'expressions',
      parser.nested(() => parseTableColumn(parser)),
    ),
  );
  if (isBracketed) parser.expect(')');
  return parser.node('TableColumns', start, columns);
}

function parseTableColumn(parser: Parser): Draft {
  const { start } = parser;
  if (parser.key === 'NESTED' && (parser.ahead(1) === 'PATH' || parser.kindAhead(1) === 'text'))
    return parseNested(parser);
  const name = as('this', parseAnyName(parser, 'a column'));
  if (parser.acceptAll('FOR', 'ORDINALITY')) return parser.node('TableColumn', start, [name]);
  const kind = as('kind', parser.rules.dataType(parser));
  return parser.node('TableColumn', start, [name, kind, ...parseOptions(parser)]);
}

/** `NESTED PATH '$.b[*]' COLUMNS (…)`: more columns, for each row of the path. */
function parseNested(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('NESTED');
  parser.accept('PATH');
  const path = as('expressions', parser.rules.expression(parser, LEVEL.other));
  if (parser.accept('AS')) parseAnyName(parser);
  return parser.node('TableColumn', start, [path, as('expressions', parseTableColumns(parser))]);
}

/** A path, defaults, and words that say what else comes; each expression is a node. */
function parseOptions(parser: Parser): Draft[] {
  const parts: Draft[] = [];
  for (;;) {
    if (parser.accept('PATH')) parts.push(as('expressions', parser.rules.expression(parser, LEVEL.other)));
    else if (parser.accept('DEFAULT')) {
      parts.push(as('expressions', parser.rules.expression(parser, LEVEL.not)));
      if (parser.key === 'ON' && OCCASIONS.has(parser.ahead(1))) parser.move(parser.at + 2);
    } else if (!acceptWords(parser)) return parts;
  }
}

function acceptWords(parser: Parser): boolean {
  if (parser.accept('EXISTS') || parser.acceptAll('FORMAT', 'JSON') || parser.acceptAll('NOT', 'NULL'))
    return true;
  return acceptJsonTail(parser) || (parser.ahead(1) !== 'ON' && parser.accept('NULL'));
}
