import type { Column } from '../../../../catalog/index.ts';
import type { Expression, Predicate } from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { columnExpression } from '../../query/plan/parts/plan-view.ts';
import type { DefinedCondition, Meaning } from '../mention/definition.ts';
import type { Token } from '../read/tokenise.ts';

/** Words of the question whose meaning rests on how columns of one table stand to one another. */
export interface Phrase {
  /** Tokens [from, to). */
  readonly from: number;
  readonly to: number;
  readonly meaning: Meaning;
  /** The table that the words speak of, whether or not it is named beside them. */
  readonly tableId: string;
}

/** What phrases are read with. */
export interface PhraseContext {
  readonly tokens: readonly Token[];
  readonly knowledge: GroundedKnowledge;
  /** Tables that the question names, in the order in which it does. */
  readonly named: readonly string[];
  /** The dates that the metrics named in the question go by. */
  readonly measured: readonly string[];
}

/** A kind of phrase: everything in the question that is one. */
export type PhraseKind = (context: PhraseContext) => readonly Phrase[];

const NOTHING: Meaning = { columns: [], conditions: [], joins: [] };

export function whereMeaning(predicate: Predicate, tableId: string): Meaning {
  const condition: DefinedCondition = { predicate, tables: [tableId] };
  return { ...NOTHING, conditions: [condition] };
}

export function figureMeaning(expression: Expression, tableId: string): Meaning {
  return { ...NOTHING, figure: { kind: 'expression', expression, tables: [tableId], inside: [] } };
}

export function columnOf(column: Column, { graph }: GroundedKnowledge): Expression {
  return columnExpression(column, graph);
}

/** Words from a place on, as text in small letters with a space between: what patterns are tried on. */
export function textFrom(tokens: readonly Token[], from: number): string {
  return tokens
    .slice(from)
    .map(({ lower, kind }) => (kind === 'stop' || kind === 'comma' ? '.' : lower))
    .join(' ');
}

/** How many tokens the text of a match covers. */
export function tokensIn(text: string): number {
  return text.trim() === '' ? 0 : text.trim().split(' ').length;
}
