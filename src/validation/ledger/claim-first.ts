/** Where "cheapest first" went: all rows are sorted so, and none is picked. */
import { type Claimed, inQuery, unused } from './claimed.ts';
import type { Ledger } from './ledger.ts';
import type { Mark } from './query-parts.ts';
import type { Expression } from './question-expressions.ts';

/** Undefined where the expression is no part of what is said to come first. */
export function claimFirst(expression: Expression, at: number, ledger: Ledger): Claimed | undefined {
  if (isOldestFirst(expression, ledger)) return claimSorted(ledger);
  if (expression.cue?.kind !== 'superlative') return undefined;
  const { asked, parts } = ledger;
  const isOfIt = (place: number): boolean => saidFirst(place, ledger) !== undefined;
  const isWord = asked.expressions.slice(Math.max(0, at - WORDS_BETWEEN), at).some((_, step, before) => {
    const place = at - before.length + step;
    return saidFirst(place, ledger) === expression.from;
  });
  if (!isOfIt(at) && !isWord) return undefined;
  const isPicked = asked.expressions.some(({ cue, from }, place) => {
    const isOther = cue?.kind === 'superlative' && asked.tokens[from]?.lower !== 'first' && !isOfIt(place);
    return isOther || cue?.kind === 'top' || asked.tokens[from]?.kind === 'number';
  });
  if (parts.marks.has('limit') && !isPicked) return unused('superlative', 'not all rows are shown');
  return claimSorted(ledger);
}

/** "oldest first": by ages from the highest down, by dates from the earliest on. */
function isOldestFirst({ cue, from, to }: Expression, { asked: { tokens } }: Ledger): boolean {
  const isFirst = tokens[to - 1]?.lower === 'first';
  return (
    cue?.kind === 'direction' && isFirst && /^(?:oldest|eldest|youngest)$/.test(tokens[from]?.lower ?? '')
  );
}

function claimSorted({ parts }: Ledger): Claimed {
  const sorted = SORTED.flatMap((mark) => parts.marks.get(mark) ?? []);
  return sorted.length > 0
    ? inQuery('order', sorted, 'the query does so')
    : unused('order', 'nothing is sorted that way');
}

const SORTED: readonly Mark[] = ['ascending', 'descending'];

/** "most recent launch first": the token of the "first" that a superlative belongs to. */
function saidFirst(at: number, { asked: { tokens, expressions } }: Ledger): number | undefined {
  const said = expressions[at];
  if (said?.cue?.kind !== 'superlative' || tokens[said.from]?.lower === 'first') return undefined;
  for (let place = said.to; place < said.to + WORDS_BETWEEN; place++) {
    const token = tokens[place];
    if (token === undefined || token.kind === 'comma' || token.kind === 'stop') return undefined;
    if (token.lower === 'first') return endsThere(tokens[place + 1]) ? place : undefined;
  }
  return undefined;
}

const WORDS_BETWEEN = 5;

function endsThere(next: Ledger['asked']['tokens'][number] | undefined): boolean {
  return (
    next === undefined ||
    next.kind === 'comma' ||
    next.kind === 'stop' ||
    /^(?:and|then|please)$/.test(next.lower)
  );
}
