import type { Column } from '../../../../catalog/index.ts';
import { splitName } from '../../../../language/index.ts';
import type { Expression, Predicate } from '../../../../sql/print/index.ts';
import { BARE, fromTable } from '../../query/plan/parts/plan-view.ts';
import type { Meaning } from '../mention/definition.ts';
import { displayColumns } from '../mention/display-columns.ts';
import { partsOf } from '../mention/full-names.ts';
import { columnOf, type Phrase, type PhraseContext, textFrom, tokensIn, whereMeaning } from './phrase.ts';

/** A key of a table to itself: whom a person reports to. */
interface SelfKey {
  readonly tableId: string;
  /** Holds the key of the one above. */
  readonly above: Column;
  readonly key: Column;
}

/** How the key of people to those above them is called. */
const ABOVE =
  /^(?:reports?|reporting|manager|managers?|manages|managed|boss|supervisor|supervised|superior|leader|lead|chief)$/;
const HEAD = '(?:direct )?(?:manager|boss|supervisor|superior)';
const BELOW = '(?:direct reports?|subordinates?)';

/** Words around the name of a person, which stands in the place of `_`; `who` where they ask for somebody by themselves. */
interface Form {
  readonly before: RegExp;
  readonly after?: RegExp;
  /** Whom the words ask for: those below the person, or the one above. */
  readonly asks: 'below' | 'above';
  readonly isWho?: boolean;
}

const FORMS: readonly Form[] = [
  {
    before:
      /^(?:who|which people) (?:directly )?(?:reports?|reported|works?|worked) (?:directly )?(?:to|under) /,
    asks: 'below',
    isWho: true,
  },
  { before: /^(?:directly )?(?:reports?|reporting|reported) (?:directly )?to /, asks: 'below' },
  { before: /^(?:that |who |which )?(?:works?|working) under /, asks: 'below' },
  { before: /^who is (?:managed|supervised) by /, asks: 'below', isWho: true },
  { before: /^(?:managed|supervised) by /, asks: 'below' },
  { before: new RegExp(`^whose ${HEAD} is `), asks: 'below' },
  { before: new RegExp(`^(?:who are )?(?:the )?${BELOW} of `), asks: 'below', isWho: true },
  { before: new RegExp(`^(?:who is |who s |what is )?(?:the )?${HEAD} of `), asks: 'above', isWho: true },
  { before: /^(?:who|whom) does /, after: /^report to\b/, asks: 'above', isWho: true },
  { before: /^to whom does /, after: /^report\b/, asks: 'above', isWho: true },
  { before: /^who (?:manages|supervises) /, asks: 'above', isWho: true },
  { before: /^(?:who is |who s )?/, after: new RegExp(`^${HEAD}\\b`), asks: 'above', isWho: true },
  { before: /^(?:who are )?/, after: new RegExp(`^${BELOW}\\b`), asks: 'below', isWho: true },
];

const NOBODY = new RegExp(
  `^(?:without (?:an? |any )?${HEAD}|(?:with|has|have|having) no ${HEAD}|(?:reports?|reporting) to (?:nobody|no one|noone))\\b`,
);

/** "who reports to Andrew Fuller", "the manager of Jane", "whose boss is Nancy": those below a person, or the one above. */
export function selfRelations(context: PhraseContext): readonly Phrase[] {
  const keys = selfKeys(context);
  if (keys.length !== 1) return [];
  const [self] = keys as [SelfKey];
  const { tokens } = context;
  for (let from = 0; from < tokens.length; from += 1) {
    const rest = textFrom(tokens, from);
    const nobody = NOBODY.exec(rest);
    if (nobody !== null) {
      const value = columnOf(self.above, context.knowledge);
      const meaning = whereMeaning({ kind: 'null', value, negated: false }, self.tableId);
      return [{ from, to: from + tokensIn(nobody[0]), meaning, tableId: self.tableId }];
    }
    for (const form of FORMS) {
      const found = readForm(form, from, rest, self, context);
      if (found !== undefined) return [found];
    }
  }
  return [];
}

function selfKeys({ knowledge: { catalog, graph } }: PhraseContext): readonly SelfKey[] {
  return catalog.foreignKeys.flatMap(({ fromTable: from, toTable, fromColumns, toColumns }) => {
    const [above, second] = fromColumns;
    const [key] = toColumns;
    if (from !== toTable || above === undefined || key === undefined || second !== undefined) return [];
    const column = graph.column(above);
    return splitName(column.name).some((word) => ABOVE.test(word))
      ? [{ tableId: from, above: column, key: graph.column(key) }]
      : [];
  });
}

function readForm(
  { before, after, asks, isWho = false }: Form,
  from: number,
  rest: string,
  self: SelfKey,
  context: PhraseContext,
): Phrase | undefined {
  const lead = before.exec(rest);
  if (lead === null) return undefined;
  const at = from + tokensIn(lead[0]);
  const person = personAt(at, self, context);
  if (person === undefined) return undefined;
  const tail = after?.exec(textFrom(context.tokens, person.to));
  if (tail === null || (after !== undefined && lead[0] === '' && !isOwned(person.to, context)))
    return undefined;
  const to = person.to + tokensIn(tail?.[0] ?? '');
  const condition = whereMeaning(related(asks, self, person.where, context), self.tableId);
  return {
    from,
    to,
    tableId: self.tableId,
    meaning: isWho ? asked(condition, from, self, context) : condition,
  };
}

/** "Nancy's manager". */
function isOwned(end: number, { tokens }: PhraseContext): boolean {
  return tokens[end - 1]?.isPossessive === true;
}

/** Whoever is asked for is shown by name, but "the email of the manager of Jane" shows that, and "how many" counts. */
function asked(
  meaning: Meaning,
  from: number,
  { tableId }: SelfKey,
  { tokens, knowledge }: PhraseContext,
): Meaning {
  const lead = tokens.slice(0, from).filter(({ lower }) => lower !== 'the');
  const isWhose = lead.at(-1)?.lower === 'of';
  const isCount = lead.some(({ lower }) => lower === 'many' || lower === 'number');
  if (isWhose || isCount) return meaning;
  const shown = displayColumns(knowledge.graph.table(tableId), knowledge.displayColumn(tableId));
  return { ...meaning, columns: shown.map((column) => [column]) };
}

const MOST_NAME_WORDS = 3;

/** A person of the table by a name that is stored, or by both of them. */
function personAt(
  from: number,
  { tableId }: SelfKey,
  { tokens, knowledge }: PhraseContext,
): { readonly to: number; readonly where: readonly Predicate[] } | undefined {
  const is = (columnId: string, value: string | number): Predicate => ({
    kind: 'compare',
    operator: '=',
    left: columnOf(knowledge.graph.column(columnId), knowledge),
    right: { kind: 'literal', value },
  });
  for (let to = Math.min(tokens.length, from + MOST_NAME_WORDS); to > from; to -= 1) {
    const span = tokens.slice(from, to);
    if (span.some(({ kind }) => kind === 'stop' || kind === 'comma')) continue;
    const text = span.map((token) => token.text).join(' ');
    const [whole] = knowledge
      .lookupValue(text)
      .filter(
        (hit) => hit.tableId === tableId && hit.score >= STORED && /name|login|email/i.test(hit.columnId),
      );
    if (whole !== undefined) return { to, where: [is(whole.columnId, whole.value)] };
    const [firsts = [], lasts = []] = partsOf(text, knowledge.lookupValue) ?? [];
    const pair = firsts.findIndex(
      (hit, at) => hit.tableId === tableId && isInOrder(hit.columnId, lasts[at]?.columnId ?? ''),
    );
    const [first, last] = [firsts[pair], lasts[pair]];
    if (first !== undefined && last !== undefined)
      return { to, where: [is(first.columnId, first.value), is(last.columnId, last.value)] };
  }
  return undefined;
}

/** The same letters, whatever their case. */
const STORED = 0.96;

function isInOrder(first: string, last: string): boolean {
  return !/last|sur/i.test(first) && !/first|given/i.test(last);
}

function related(
  asks: Form['asks'],
  { tableId, above, key }: SelfKey,
  where: readonly Predicate[],
  { knowledge }: PhraseContext,
): Predicate {
  const [value, shown]: readonly [Expression, Expression] =
    asks === 'below'
      ? [columnOf(above, knowledge), columnOf(key, knowledge)]
      : [columnOf(key, knowledge), columnOf(above, knowledge)];
  const query = {
    ...BARE,
    select: [{ expression: shown }],
    from: fromTable(knowledge.graph.table(tableId)),
    where,
  };
  return { kind: 'in-query', value, query, negated: false };
}
