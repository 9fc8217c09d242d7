/** Parts of a query that do more than read: INTO and locks. They are read so that they can be named and refused. */

import { parseAnyName } from '../expressions/parse-names.ts';
import { allAs, as, type Draft } from '../reader/draft.ts';
import type { Parser } from '../reader/rules.ts';

const INTO_ENDS: ReadonlySet<string> = new Set(
  'FROM WHERE GROUP HAVING ORDER LIMIT UNION INTERSECT EXCEPT FOR LOCK ; )'.split(' '),
);

/** `INTO t`, `INTO OUTFILE '…'`, `INTO @a, @b`: the words up to the next clause, unread. */
export function parseInto(parser: Parser): Draft {
  const { start } = parser;
  parser.expect('INTO');
  const { start: from } = parser;
  const first = parser.advance().text;
  while (!parser.isAtEnd && !INTO_ENDS.has(parser.key)) parser.advance();
  return parser.node('Into', start, [as('this', parser.node('Var', from, [], first))]);
}

/** `FOR UPDATE OF t NOWAIT`, `LOCK IN SHARE MODE`. */
export function* parseLocks(parser: Parser): Generator<Draft> {
  while (parser.key === 'FOR' || (parser.key === 'LOCK' && parser.ahead(1) === 'IN')) {
    yield as('locks', parseLock(parser));
  }
}

function parseLock(parser: Parser): Draft {
  const { start } = parser;
  if (parser.acceptAll('LOCK', 'IN', 'SHARE', 'MODE'))
    return parser.node('Lock', start, [], undefined, { kind: 'SHARE' });
  parser.expect('FOR');
  const words: string[] = [];
  while (['NO', 'KEY', 'UPDATE', 'SHARE'].includes(parser.key))
    words.push(parser.advance().text.toUpperCase());
  if (words.length === 0) throw parser.fault('UPDATE', 'SHARE');
  const tables = parser.accept('OF')
    ? allAs(
        'expressions',
        parser.list(() => parseAnyName(parser)),
      )
    : [];
  if (!parser.accept('NOWAIT')) parser.acceptAll('SKIP', 'LOCKED');
  return parser.node('Lock', start, [...tables], undefined, { kind: words.join(' ') });
}
