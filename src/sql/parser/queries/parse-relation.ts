/** FROM and its joins. */
import type { Flags } from '../../tree/node.ts';
import { parseAnyName } from '../expressions/parse-names.ts';
import type { Parser } from '../reader/rules.ts';
import { allAs, as, type Draft } from '../reader/token-reader.ts';
import { parseTable } from './parse-table.ts';

/** `FROM a, b JOIN c ON …`: a From with the first relation, and a Join for each further one. */
export function parseFrom(parser: Parser): Draft[] {
  const { start } = parser;
  parser.expect('FROM');
  const first = as('this', parseTable(parser));
  const from = as('from', parser.node('From', start, [first]));
  return [from, ...allAs('joins', parseJoins(parser, true))];
}

/** A relation with its joins, as it stands in brackets: the joins hang on the first one. */
export function parseRelation(parser: Parser): Draft {
  const first = parseTable(parser);
  const joins = parseJoins(parser, true);
  if (joins.length === 0) return first;
  first.children.push(...allAs('joins', joins));
  first.end = parser.end;
  return first;
}

/**
 * All joins in a row. `a JOIN b JOIN c ON x ON y` nests: a second condition belongs to the last join that has none,
 * and the joins after that one hang on its relation.
 */
function parseJoins(parser: Parser, takesComma: boolean): Draft[] {
  const joins: Draft[] = [];
  for (;;) {
    const isCondition = parser.key === 'ON' || (parser.key === 'USING' && parser.ahead(1) === '(');
    if (isCondition && joins.length > 1) {
      const open = joins.findLastIndex(isOpen);
      if (open === -1) return joins;
      nest(joins, open);
      attachCondition(parser, joins[open] as Draft);
      continue;
    }
    const join = parseJoin(parser, takesComma);
    if (join === undefined) return joins;
    joins.push(join);
  }
}

/** A join that still waits for its condition. */
function isOpen(join: Draft): boolean {
  const { kind, method, comma } = join.flags;
  return join.children.length === 1 && kind !== 'CROSS' && method !== 'NATURAL' && comma === undefined;
}

function nest(joins: Draft[], open: number): void {
  const inner = joins.splice(open + 1);
  const join = joins[open];
  const relation = join?.children[0];
  const end = inner.at(-1)?.end;
  if (join === undefined || relation === undefined || end === undefined) return;
  relation.children.push(...allAs('joins', inner));
  relation.end = end;
  join.end = end;
}

export function parseJoin(parser: Parser, takesComma: boolean): Draft | undefined {
  const { start } = parser;
  if (parser.key === ',' && takesComma) {
    parser.advance();
    return parser.node('Join', start, [as('this', parseTable(parser))], undefined, { comma: 'true' });
  }
  const flags = acceptJoinWords(parser);
  if (flags === undefined) return undefined;
  const join = parser.node('Join', start, [as('this', parseTable(parser))], undefined, flags);
  if (parser.grammar.connectBy && parser.key === 'MATCH_CONDITION') {
    parser.advance();
    join.children.push(as('match_condition', parser.rules.expression(parser)));
    join.end = parser.end;
  }
  if (parser.key === 'ON' || (parser.key === 'USING' && parser.ahead(1) === '('))
    attachCondition(parser, join);
  return join;
}

const METHODS: ReadonlySet<string> = new Set(['NATURAL', 'ASOF', 'POSITIONAL']);
const SIDES: ReadonlySet<string> = new Set(['LEFT', 'RIGHT', 'FULL']);
const KINDS: ReadonlySet<string> = new Set(['INNER', 'OUTER', 'CROSS', 'SEMI', 'ANTI']);

/** `NATURAL LEFT OUTER JOIN` and the like; nothing is read when no JOIN follows. */
function acceptJoinWords(parser: Parser): Flags | undefined {
  const flags: { method?: string; side?: string; kind?: string } = {};
  let distance = 0;
  for (;;) {
    const key = parser.ahead(distance);
    if (METHODS.has(key)) flags.method = key;
    else if (SIDES.has(key)) flags.side = key;
    else if (KINDS.has(key)) flags.kind = key;
    else break;
    distance += 1;
  }
  if (parser.grammar.connectBy && parser.ahead(distance) === 'DIRECTED') distance += 1;
  const word = parser.ahead(distance);
  if (word !== 'JOIN' && word !== 'STRAIGHT_JOIN') return undefined;
  if (word === 'STRAIGHT_JOIN') flags.kind = 'STRAIGHT';
  parser.move(parser.at + distance + 1);
  return flags;
}

function attachCondition(parser: Parser, join: Draft): void {
  if (parser.accept('ON')) join.children.push(as('on', parser.rules.expression(parser)));
  else {
    parser.expect('USING', '(');
    join.children.push(...parser.list(() => as('using', parseAnyName(parser, 'a column'))));
    parser.expect(')');
  }
  join.end = parser.end;
}
