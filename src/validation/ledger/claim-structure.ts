/** Whether the shape of a query does what words of structure ask for. */

import type { WordRole } from '../../answer.ts';
import type { Cue } from '../../reasoning/grounded/question/index.ts';
import type { Span } from '../../sql/dialects/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import type { LiteralPart, Mark, QueryParts } from './query/query-parts.ts';

/** What an expression of structure needs of a query. */
interface Need {
  readonly role: WordRole;
  /** One of each list has to be there. */
  readonly marks: readonly (readonly Mark[])[];
  /** An answer without it answers another question. */
  readonly isTelling: boolean;
  readonly why: string;
}

const EXTREMES: readonly Mark[] = ['limit', 'rank', 'maximum', 'minimum', 'offset'];
const DENIALS: readonly Mark[] = ['not', 'null'];

/** What each kind of cue needs; undefined: it only holds the sentence together. */
export function needOf(cue: Cue): Need | undefined {
  switch (cue.kind) {
    case 'count':
      return need('figure', [['count', 'sum', 'rank']], 'nothing is counted');
    case 'aggregate':
      return need('figure', [FIGURES[cue.function] ?? []], FIGURE_WHY[cue.function] ?? '');
    case 'distinct':
      return {
        ...need('figure', [['distinct', 'group']], 'equal rows are not shown once'),
        isTelling: false,
      };
    case 'group':
      return need('grouping', [['group', 'window', 'shown-once']], 'nothing is grouped');
    case 'order':
      return need('order', [['ascending', 'descending']], 'nothing is sorted');
    case 'direction':
      return need(
        'order',
        [[cue.direction === 'asc' ? 'ascending' : 'descending']],
        'nothing is sorted that way',
      );
    case 'superlative':
      return need('superlative', [EXTREMES, endsOf(cue)], 'no end of an order is looked for');
    case 'top':
      return need('superlative', [EXTREMES], 'no end of an order is looked for');
    case 'compare':
      return need('comparison', [marksOf(cue)], 'nothing is compared so');
    case 'between':
      return need(
        'comparison',
        [
          ['between', 'greater'],
          ['between', 'less'],
        ],
        'nothing is compared so',
      );
    case 'like':
      return need('comparison', [['pattern', 'equal']], 'no text is looked through');
    case 'null':
      return need('negation', [['null', 'not', 'equal', 'present']], 'nothing missing is looked for');
    case 'not':
      return need('negation', [[...DENIALS, 'negative']], 'nothing is denied');
    case 'share':
      return need('figure', [['ratio', 'average']], 'no share is computed');
    case 'grain':
      return need('time', [['date']], 'no step of time is in the query');
    case 'quantile':
      return need(
        'figure',
        [['median', 'percentile', 'rank', 'offset']],
        'no median or percentile is computed',
      );
    case 'growth':
      return need(
        'figure',
        [['difference', 'ratio', 'window', 'rank', 'group', 'or']],
        'nothing is set against another',
      );
    default:
      return undefined;
  }
}

function need(role: WordRole, marks: readonly (readonly Mark[])[], why: string): Need {
  return { role, marks, why, isTelling: true };
}

const FIGURES: Readonly<Record<string, readonly Mark[]>> = {
  avg: ['average', 'ratio', 'median'],
  sum: ['sum', 'count', 'difference', 'ratio'],
  max: ['maximum', 'limit', 'rank'],
  min: ['minimum', 'limit', 'rank'],
  count: ['count'],
};
const FIGURE_WHY: Readonly<Record<string, string>> = {
  avg: 'no average is computed',
  sum: 'nothing is summed',
  max: 'no maximum is looked for',
  min: 'no minimum is looked for',
  count: 'nothing is counted',
};

/** The end of the order that is meant; any where the word means another one by another column ("youngest": by age or by birth date). */
function endsOf({ direction, attributes }: Extract<Cue, { kind: 'superlative' }>): readonly Mark[] {
  const either: readonly Mark[] = ['ascending', 'descending', 'maximum', 'minimum', 'rank'];
  if (attributes.some((one) => one.startsWith('-')) || attributes.includes('year')) return either;
  return direction === 'asc' ? ['ascending', 'minimum'] : ['descending', 'maximum'];
}

function marksOf({ operator, attributes }: Extract<Cue, { kind: 'compare' }>): readonly Mark[] {
  if (operator === '=') return ['equal', 'between', 'pattern'];
  if (operator === '<>') return DENIALS;
  if (attributes.some((one) => one.startsWith('-'))) return ['greater', 'less', 'between'];
  const isGreater = operator === '>' || operator === '>=';
  return isGreater ? ['greater', 'not', 'rank'] : ['less', 'not', 'rank'];
}

/** The places that do what is needed; undefined where nothing does. */
export function claimNeed({ marks }: Need, parts: QueryParts): readonly Span[] | undefined {
  const found = marks.map((any) => any.flatMap((mark) => parts.marks.get(mark) ?? []));
  return found.every((spans) => spans.length > 0) ? found.flat() : undefined;
}

export type Operator = '>' | '>=' | '<' | '<=' | '=' | '<>';

const OPERATORS: Readonly<Record<string, Operator>> = {
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
  EQ: '=',
  NEQ: '<>',
};
const TURNED: Readonly<Record<Operator, Operator>> = {
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
  '=': '=',
  '<>': '<>',
};

/** How something is compared with a literal, the literal on the right; undefined where it is in no comparison of its own. */
export function writtenOperator({ node }: Pick<LiteralPart, 'node'>): Operator | undefined {
  const { operand, parent } = outermost(node);
  if (parent?.type === 'Between')
    return operand.role === 'low' ? '>=' : operand.role === 'high' ? '<=' : undefined;
  const operator = parent && OPERATORS[parent.type];
  if (operator === undefined) return undefined;
  return operand.role === 'this' ? TURNED[operator] : operator;
}

/** The same with the denials around it. */
export function operatorAt(literal: Pick<LiteralPart, 'node'>): Operator | undefined {
  const written = writtenOperator(literal);
  return written !== undefined && isDenied(literal.node) ? DENIED[written] : written;
}

/** An odd number of denials is around it: `NOT IN (… HAVING COUNT(*) >= 3)` is less than 3. */
function isDenied(node: SqlNode): boolean {
  let isOdd = false;
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.type === 'Not') isOdd = !isOdd;
  return isOdd;
}

const DENIED: Readonly<Record<Operator, Operator>> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  '=': '<>',
  '<>': '=',
};

/** The literal with the brackets, signs, casts and arithmetic around it. */
function outermost(node: SqlNode): { readonly operand: SqlNode; readonly parent: SqlNode | undefined } {
  let operand = node;
  while (operand.parent !== undefined && WRAPPING.has(operand.parent.type)) operand = operand.parent;
  return { operand, parent: operand.parent };
}

const WRAPPING = new Set(
  'Paren Neg Pos Cast TryCast Mul Div Add Sub Date Timestamp TsOrDsToDate StrToTime Anonymous'.split(' '),
);

/** Whether a comparison with a stored number says what the words say of theirs: "more than 5" is `> 5` and `>= 6`. */
export function agrees(asked: Operator, number: number, written: Operator, literal: number): boolean {
  switch (asked) {
    case '>':
      return (written === '>' && literal === number) || (written === '>=' && literal > number);
    case '>=':
      return (written === '>=' && literal === number) || (written === '>' && literal < number);
    case '<':
      return (written === '<' && literal === number) || (written === '<=' && literal < number);
    case '<=':
      return (written === '<=' && literal === number) || (written === '<' && literal > number);
    default:
      return written === asked && literal === number;
  }
}
