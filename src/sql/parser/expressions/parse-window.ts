/** OVER and WINDOW: partitions, order and frames. */

import { LEVEL } from '../reader/grammar.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';
import { parseAnyName } from './parse-names.ts';

const SPEC_WORDS: ReadonlySet<string> = new Set(['PARTITION', 'ORDER', 'ROWS', 'RANGE', 'GROUPS', ')']);

/** `call OVER name` and `call OVER (…)`. */
export function parseOver(parser: Parser, call: Draft): Draft {
  parser.expect('OVER');
  if (parser.key !== '(') {
    return parser.node('Window', call.start, [
      as('this', call),
      as('alias', parseAnyName(parser, 'a window')),
    ]);
  }
  return parser.node('Window', call.start, [as('this', call), ...parseSpecification(parser)]);
}

/** `WINDOW w AS (…), v AS (…)`: one node for each, named by its child `this`. */
export function parseWindows(parser: Parser): readonly Draft[] {
  parser.expect('WINDOW');
  return allAs(
    'windows',
    parser.list(() => {
      const { start } = parser;
      const name = as('this', parseAnyName(parser));
      parser.expect('AS');
      return parser.node('Window', start, [name, ...parseSpecification(parser)]);
    }),
  );
}

function parseSpecification(parser: Parser): Draft[] {
  parser.expect('(');
  const parts: Draft[] = [];
  const isNamed = parser.kind === 'quoted-name' || (parser.kind === 'word' && !SPEC_WORDS.has(parser.key));
  if (isNamed) parts.push(as('alias', parseAnyName(parser)));
  if (parser.accept('PARTITION')) {
    parser.expect('BY');
    parts.push(
      ...allAs(
        'partition_by',
        parser.list(() => parser.rules.expression(parser)),
      ),
    );
  }
  if (parser.key === 'ORDER') parts.push(as('order', parser.rules.order(parser)));
  if (['ROWS', 'RANGE', 'GROUPS'].includes(parser.key)) parts.push(as('spec', parseFrame(parser)));
  parser.expect(')');
  return parts;
}

function parseFrame(parser: Parser): Draft {
  const { start } = parser;
  const kind = parser.advance().text.toUpperCase();
  const isBetween = parser.accept('BETWEEN');
  const from = parseBound(parser, 'from');
  const flags: { kind: string; from: string; to?: string; exclude?: string } = { kind, from: from.words };
  const parts = [...from.nodes];
  if (isBetween) {
    parser.expect('AND');
    const to = parseBound(parser, 'to');
    flags.to = to.words;
    parts.push(...to.nodes);
  }
  if (parser.accept('EXCLUDE')) flags.exclude = parseExclusion(parser);
  return parser.node('WindowSpec', start, parts, undefined, flags);
}

/** `UNBOUNDED PRECEDING`, `CURRENT ROW`, `3 FOLLOWING`. */
function parseBound(parser: Parser, role: 'from' | 'to'): { words: string; nodes: Draft[] } {
  if (parser.acceptAll('CURRENT', 'ROW')) return { words: 'CURRENT ROW', nodes: [] };
  const isUnbounded = parser.accept('UNBOUNDED');
  const nodes = isUnbounded ? [] : [as(role, parser.rules.expression(parser, LEVEL.other))];
  if (parser.key !== 'PRECEDING' && parser.key !== 'FOLLOWING') throw parser.fault('PRECEDING', 'FOLLOWING');
  const side = parser.advance().text.toUpperCase();
  return { words: isUnbounded ? `UNBOUNDED ${side}` : side, nodes };
}

function parseExclusion(parser: Parser): string {
  if (parser.acceptAll('CURRENT', 'ROW')) return 'CURRENT ROW';
  if (parser.acceptAll('NO', 'OTHERS')) return 'NO OTHERS';
  if (parser.accept('GROUP')) return 'GROUP';
  parser.expect('TIES');
  return 'TIES';
}
