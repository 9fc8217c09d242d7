/** What may hang on an operand: `::type`, `[1]`, `.field`, `:path`, `(args)`; each makes the operand its child. */
import { as, type Draft } from './draft.ts';
import { LEVEL } from './grammar.ts';
import { parseCallArguments } from './parse-call-arguments.ts';
import { parseAnyName } from './parse-names.ts';
import type { Parser } from './rules.ts';

export function parsePostfix(parser: Parser, operand: Draft): Draft {
  let left = operand;
  for (;;) {
    const next = parseOne(parser, left);
    if (next === undefined) return left;
    left = next;
  }
}

function parseOne(parser: Parser, left: Draft): Draft | undefined {
  switch (parser.key) {
    case '::':
      parser.advance();
      return parser.node(
        'Cast',
        left.start,
        [as('this', left), as('to', parser.rules.dataType(parser))],
        undefined,
        {
          operator: '::',
        },
      );
    case '[':
      return parseSubscript(parser, left);
    case '.':
      return parseField(parser, left);
    case '(':
      return parseOuterMark(parser, left);
    case ':':
      return parser.grammar.colonPath ? parsePath(parser, left) : undefined;
    default:
      return undefined;
  }
}

/** Whether Snowflake's `(+)` stands that many places on; between the brackets of a call it would be no value. */
export function isOuterMark(parser: Parser, distance: number): boolean {
  if (!parser.grammar.connectBy) return false;
  return ['(', '+', ')'].every((key, index) => parser.ahead(distance + index) === key);
}

/** `a.b(+)`: rows of the other table stay though no row of this one fits. */
function parseOuterMark(parser: Parser, left: Draft): Draft | undefined {
  const isColumn = left.type === 'Column' && left.children.at(-1)?.type === 'Identifier';
  if (!isColumn || !isOuterMark(parser, 0)) return undefined;
  parser.move(parser.at + 3);
  return parser.node('UnaryOperator', left.start, [as('this', left)], undefined, { operator: '(+)' });
}

/** `a[1]`, `a[1:2]`, `a[:]`. */
function parseSubscript(parser: Parser, left: Draft): Draft {
  parser.expect('[');
  const items = parser.list(() => as('expressions', parseIndex(parser)));
  parser.expect(']');
  return parser.node('Bracket', left.start, [as('this', left), ...items]);
}

function parseIndex(parser: Parser): Draft {
  const { start } = parser;
  const from = parser.key === ':' ? undefined : parser.rules.expression(parser);
  if (parser.key !== ':') return from ?? failIndex(parser);
  parser.advance();
  const parts = from === undefined ? [] : [as('this', from)];
  // DuckDB writes an open end before a step as `[1:-:2]`.
  const isOpenEnd = parser.isAt('-') && (parser.ahead(1) === ':' || parser.ahead(1) === ']');
  if (isOpenEnd) parser.advance();
  else if (!parser.isAt(']') && !parser.isAt(':'))
    parts.push(as('expression', parser.rules.expression(parser)));
  if (parser.accept(':')) parts.push(as('step', parser.rules.expression(parser)));
  return parser.node('Slice', start, parts);
}

function failIndex(parser: Parser): never {
  throw parser.fault('an index');
}

/** `(composite).field`, `f(x).field`, `a[1].field`, `(t).*`, and DuckDB's `text.upper()`. */
function parseField(parser: Parser, left: Draft): Draft | undefined {
  if (parser.ahead(1) === '*') {
    parser.advance();
    parser.advance();
    return parser.node('Dot', left.start, [
      as('this', left),
      as('expression', parser.node('Star', parser.end - 1, [])),
    ]);
  }
  parser.advance();
  const { start } = parser;
  if (parser.kind === 'parameter') {
    // Snowflake: `t.$1`.
    const place = as('expression', parser.rules.expression(parser, LEVEL.postfix));
    return parser.node('Dot', left.start, [as('this', left), place]);
  }
  const name = parseAnyName(parser, 'a field');
  if (parser.key !== '(') return parser.node('Dot', left.start, [as('this', left), as('expression', name)]);
  const call = parser.node('Anonymous', start, [], name.value);
  call.children = [...parseCallArguments(parser)];
  for (const argument of call.children) if (argument.role === 'this') argument.role = 'expressions';
  call.end = parser.end;
  call.flags = { call: 'method' };
  return parser.node('Dot', left.start, [as('this', left), as('expression', call)]);
}

/** Snowflake: `payload:items[0].price`; the path is one node, its text the value. */
function parsePath(parser: Parser, left: Draft): Draft | undefined {
  if (parser.kindAhead(1) !== 'word' && parser.kindAhead(1) !== 'quoted-name') return undefined;
  parser.advance();
  const { start } = parser;
  const parts = [parser.advance().text];
  const inside: Draft[] = [];
  for (;;) {
    const isNameAhead = parser.kindAhead(1) === 'word' || parser.kindAhead(1) === 'quoted-name';
    if ((parser.key === '.' || parser.key === ':') && isNameAhead) {
      parts.push(parser.advance().text, parser.advance().text);
    } else if (parser.key === '[') {
      parser.advance();
      const index = parser.rules.expression(parser);
      parser.expect(']');
      parts.push(`[${index.value ?? ''}]`);
      if (index.type !== 'Literal') inside.push(as('expressions', index));
    } else break;
  }
  const path = parser.node('JSONPath', start, inside, parts.join(''));
  return parser.node('JSONExtract', left.start, [as('this', left), as('expression', path)], undefined, {
    operator: ':',
  });
}
