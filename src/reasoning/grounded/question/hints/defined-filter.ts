import type { Column } from '../../../../catalog/index.ts';
import type { FilterSlot, Operand } from '../../compose/frame/frame.ts';
import type { ColumnNames, DefinedCondition, LiteralCondition } from '../mention/definition.ts';
import type { Mention, NounMatch } from '../mention/mention.ts';

/** A span of the question that a hint explains; it wins over what its words would mean without. */
export type DefinedSpan = Pick<
  Mention,
  'from' | 'to' | 'score' | 'nouns' | 'values' | 'meaning' | 'isDefined'
>;

/** The words of a mention as a name of the columns that a hint gives them. */
export function namedColumns(mention: Mention, columns: ColumnNames): Mention {
  const { meaning: _, number: _number, time: _time, ...words } = mention;
  return { ...words, values: [], nouns: columns.map((column) => columnMatch(column, mention.text)) };
}

/** A condition as a slot of the frame, where a slot can hold it: then tables on the many side are seen to. */
export function definedFilter(
  { literal }: DefinedCondition,
  mention: Mention,
): Omit<FilterSlot, 'connective'> | undefined {
  if (literal === undefined || !fitsSlot(literal)) return undefined;
  const { columns, operator, values, isNegated } = literal;
  const noun = namedColumns(mention, columns);
  const operands = values.map((value): Operand => {
    const number = Number(value);
    return isNumeric(columns) && Number.isFinite(number)
      ? { kind: 'number', number, mention: noun }
      : { kind: 'text', text: String(value), mention: noun };
  });
  return { noun, attributes: [], operator: operator === 'in' ? '=' : operator, operands, isNegated, mention };
}

/** Slots compare numbers with numbers and texts with texts. */
function fitsSlot({ columns, operator, values }: LiteralCondition): boolean {
  if (operator === 'null') return true;
  if (isNumeric(columns)) return values.every((value) => Number.isFinite(Number(value)));
  return (
    columns.every(({ family }) => family === 'text' || family === 'time') &&
    values.every((value) => typeof value === 'string')
  );
}

function isNumeric(columns: ColumnNames): boolean {
  return columns.length > 0 && columns.every(({ family }) => family === 'number');
}

/** What was said for this question weighs more than a full name. */
const NAMED_SCORE = 1.1;

/** A column as what words name because a hint says so. */
export function columnMatch(column: Column, text: string): NounMatch {
  return {
    ...{ kind: 'column', id: column.id, tableId: column.tableId },
    ...{ score: NAMED_SCORE, why: `hint: ${text}` },
  };
}
