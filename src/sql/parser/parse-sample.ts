/** TABLESAMPLE, SAMPLE and USING SAMPLE. */
import { as, type Draft } from './draft.ts';
import type { Parser } from './rules.ts';

export function isSample(parser: Parser): boolean {
  if (!parser.grammar.sampleWords.has(parser.key)) return false;
  return (
    parser.key !== 'USING' && (parser.key !== 'SAMPLE' || parser.ahead(1) === '(' || parser.ahead(2) === '(')
  );
}

const METHODS: ReadonlySet<string> = new Set(['BERNOULLI', 'SYSTEM', 'RESERVOIR', 'BLOCK', 'ROW']);

function parseMethod(parser: Parser): string {
  if (!METHODS.has(parser.key)) throw parser.fault('BERNOULLI', 'SYSTEM', 'RESERVOIR');
  return parser.advance().text.toUpperCase();
}

/** `10%` is a share here, not the left side of a modulo. */
function parseSize(parser: Parser): Draft {
  const { token } = parser;
  if (token?.kind !== 'number') throw parser.fault('a number');
  parser.advance();
  return parser.node('Literal', token.start, [], token.text);
}

/** `TABLESAMPLE BERNOULLI (10 PERCENT) REPEATABLE (5)`, `USING SAMPLE 10%`. */
export function parseSample(parser: Parser): Draft {
  const { start } = parser;
  parser.accept('USING');
  parser.advance();
  const method = parser.kind === 'word' ? parseMethod(parser) : undefined;
  const hasBrackets = parser.accept('(');
  const parts = [as('size', parseSize(parser))];
  for (const word of ['%', 'PERCENT', 'ROWS', 'ROW']) if (parser.accept(word)) break;
  if (hasBrackets) parser.expect(')');
  if (parser.key === '(') {
    parser.expect('(');
    while (parser.kind === 'word' || parser.kind === 'number' || parser.isAt(',')) parser.advance();
    parser.expect(')');
  }
  if ((parser.key === 'REPEATABLE' || parser.key === 'SEED') && parser.ahead(1) === '(') {
    parser.advance();
    parser.expect('(');
    parts.push(as('seed', parser.rules.expression(parser)));
    parser.expect(')');
  }
  return parser.node('TableSample', start, parts, method);
}
