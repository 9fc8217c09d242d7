import { INVERSE_COMPARISON, type Predicate } from '../../../../../sql/print/index.ts';
import { definedFilter, namedColumns } from '../../../question/hints/defined-filter.ts';
import type {
  DefinedCondition,
  DefinedFigure,
  DefinedRanking,
  Meaning,
} from '../../../question/mention/definition.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';

/** Words that a hint explains: what is shown, a formula, a ranking, conditions. */
export const defined: Rule = {
  name: 'defined',
  examples: ['What are the initials of the students from Berlin?', 'Which singers are well paid?'],
  hint: 'initials refers to first_name, last_name; well paid refers to salary > 4000',
  apply(cursor) {
    const mention = cursor.at(0);
    const meaning = mention?.meaning;
    if (mention === undefined || meaning === undefined) return 0;
    if (meaning.figure !== undefined) addFigure(cursor, meaning.figure, mention);
    addColumns(cursor, meaning, mention);
    if (meaning.ranking !== undefined) addRanking(cursor, meaning.ranking, mention);
    if (meaning.having !== undefined) {
      const { aggregate, columns, operator, number } = meaning.having;
      const noun = namedColumns(mention, columns);
      cursor.addHaving({ noun, aggregate, operator, number, mention });
    }
    for (const condition of meaning.conditions) addCondition(cursor, condition, mention);
    return 1;
  },
};

function addFigure(cursor: Cursor, figure: DefinedFigure, mention: Mention): void {
  if (figure.kind === 'aggregate') {
    const noun = namedColumns(mention, figure.columns);
    cursor.frame.projections.push({ aggregate: figure.function, isDistinct: figure.isDistinct, noun });
    return;
  }
  cursor.frame.projections.push({ isDistinct: false, figure, noun: mention });
  cursor.mode = 'modify';
}

function addRanking(cursor: Cursor, ranking: DefinedRanking, mention: Mention): void {
  const { direction, aggregate, columns, figure } = ranking;
  if (figure !== undefined) {
    cursor.frame.orders.push({
      figure,
      direction,
      isCount: false,
      attributes: [],
      isSuperlative: true,
      mention,
    });
    cursor.frame.limit ??= 1;
    return;
  }
  const noun = namedColumns(mention, columns);
  const isAsked = cursor.mode === 'project' && cursor.frame.projections.length === 0;
  if (isAsked && aggregate === undefined && endsFigure(cursor)) {
    const name = direction === 'desc' ? 'max' : 'min';
    cursor.frame.projections.push({ aggregate: name, isDistinct: false, noun });
    return;
  }
  const counts = cursor.frame.projections.some((shown) => shown.aggregate === 'count');
  // "how many have the highest …": those that share the extreme.
  if (counts && aggregate === undefined) {
    const name = direction === 'desc' ? 'max' : 'min';
    const operands = [
      { kind: 'statistic' as const, function: name as 'min' | 'max', noun, mention, filters: [] },
    ];
    cursor.addFilter({ noun, attributes: [], operator: '=', operands, isNegated: false, mention });
    return;
  }
  const isCount = aggregate === 'count';
  cursor.frame.orders.push({
    ...{ noun, direction, isCount, attributes: [], isSuperlative: true, mention },
    ...(aggregate !== undefined && !isCount && { aggregate }),
  });
  cursor.frame.limit ??= 1;
}

/** "the highest salary of …": nothing is named whose row it would pick. */
function endsFigure(cursor: Cursor): boolean {
  const next = cursor.at(1);
  return (
    next === undefined ||
    next.isSentenceEnd ||
    next.isComma ||
    cursor.cue(1, 'of') !== undefined ||
    cursor.cue(1, 'preposition') !== undefined
  );
}

function addColumns(cursor: Cursor, { columns }: Meaning, mention: Mention): void {
  const isListed = cursor.mode === 'project' || cursor.frame.projections.length === 0;
  for (const names of columns) {
    const noun = namedColumns(mention, names);
    if (isListed || columns.length > 1) cursor.frame.projections.push({ isDistinct: false, noun });
    else cursor.pending = noun;
  }
}

function addCondition(cursor: Cursor, condition: DefinedCondition, mention: Mention): void {
  const slot = definedFilter(condition, mention);
  if (slot !== undefined) cursor.addFilter(slot);
  else addStated(cursor, condition, mention);
}

/** A condition that is bound already: of the rows that are said to be missing, or of those that are asked for. */
function addStated(cursor: Cursor, { predicate, tables }: DefinedCondition, mention: Mention): void {
  const { frame, absence } = cursor;
  const said = cursor.isNegated ? denied(predicate) : predicate;
  const isElsewhere = cursor.statistic !== undefined || cursor.connective === 'or';
  if (said === undefined || isElsewhere) frame.dangling.push(mention);
  else if (absence === undefined) frame.stated.push({ predicate: said, tables, mention });
  else absence.stated.push({ predicate: said, tables, mention });
  cursor.isNegated = false;
  cursor.isDenied = false;
  cursor.mode = 'modify';
}

/** "not shipped late"; undefined where there is no plain opposite. */
function denied(predicate: Predicate): Predicate | undefined {
  switch (predicate.kind) {
    case 'compare':
      return { ...predicate, operator: INVERSE_COMPARISON[predicate.operator] };
    case 'in':
    case 'in-query':
    case 'null':
      return { ...predicate, negated: !predicate.negated };
    default:
      return undefined;
  }
}
