/** A question that is answered right, with all that an alteration needs to know of it. */
import type { Answered } from '../../../../answer.ts';
import type { Catalog } from '../../../../catalog/index.ts';
import type { DialectName } from '../../../../sql/dialects/dialect.ts';
import { parse, type Span, type SqlTree } from '../../../../sql/index.ts';
import type { EvaluationCase } from '../../../corpus/index.ts';
import type { Dice } from '../../../synthesis/items/seeded-random.ts';
import type { KnownWords } from './known-words.ts';
import type { WordList } from './word-list.ts';

export interface RightAnswer {
  readonly question: string;
  /** The query of the answer. */
  readonly sql: SqlTree;
  readonly gold: SqlTree;
  /** Parts of the question that the answer says it read, with the SQL that came of them. */
  readonly read: readonly ReadPart[];
}

interface ReadPart {
  readonly questionSpan: Span;
  readonly sqlSpan: Span;
}

/** The answer with what is drawn from and what is known of its database. */
export interface AlteredSite extends RightAnswer {
  readonly catalog: Catalog;
  /** Other names of the tables, by table id. */
  readonly tableNames: ReadonlyMap<string, readonly string[]>;
  readonly known: KnownWords;
  readonly words: WordList;
  /** Texts stored in the column, few of many; none where it is not a column of the database. */
  readonly storedValues: (table: string, column: string) => Promise<readonly string[]>;
  /** Chance of its own for each kind, so that one kind does not hang on another. */
  readonly dice: (name: string) => Dice;
}

/** Undefined where one of the queries does not parse, or the question was read in other words than it was asked in. */
export function readRightAnswer(
  { question }: Pick<EvaluationCase, 'question'>,
  answer: Answered,
  { gold, dialect }: { readonly gold: string; readonly dialect: DialectName },
): RightAnswer | undefined {
  const [own, right] = [parse(answer.sql, dialect), parse(gold, dialect)];
  if (!own.ok || !right.ok || (answer.readAs ?? question) !== question) return undefined;
  const read = answer.evidence.flatMap(({ questionSpan, sqlSpan }) =>
    questionSpan === undefined ? [] : [{ questionSpan, sqlSpan }],
  );
  return { question, sql: own.tree, gold: right.tree, read };
}
