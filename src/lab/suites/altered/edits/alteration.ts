/** What an altered question is, and what must happen to it. */
import type { Answered } from '../../../../answer.ts';
import type { Catalog } from '../../../../catalog/index.ts';
import type { DialectName } from '../../../../sql/dialects/dialect.ts';
import type { Span } from '../../../../sql/dialects/index.ts';
import { parse } from '../../../../sql/index.ts';
import type { SqlTree } from '../../../../sql/tree/index.ts';
import type { EvaluationCase } from '../../../corpus/index.ts';
import type { Dice } from '../../../synthesis/items/seeded-random.ts';
import type { KnownWords } from './known-words.ts';
import type { WordList } from './word-list.ts';

/** What is done to a question. `insert` and the kinds after it change what is asked, `synonym` and `noise` do not. */
export const ALTERATION_KINDS = [
  'insert',
  'number',
  'top-n',
  'value',
  'unstored-value',
  'direction',
  'negation',
  'synonym',
  'noise',
] as const;
export type AlterationKind = (typeof ALTERATION_KINDS)[number];

/** What must come of an altered question. */
type Due =
  /** Not an answer as if the word were not there: it is unknown to the database. */
  | { readonly kind: 'asked'; readonly word: string }
  /** The query changes in the same way as the question. */
  | Changed
  /** Either the query compares with the new value, or the value is asked about: it is stored nowhere. */
  | { readonly kind: 'asked-or-written'; readonly word: string }
  /** The same rows as before. */
  | { readonly kind: 'same' };

export interface Changed {
  readonly kind: 'changed';
  /** The gold altered as the question was. */
  readonly gold: string;
  /** The query of the right answer altered in the same way. */
  readonly sql: string;
  /** What the new query must hold, where no rows can tell: the new number or value. */
  readonly literal?: string;
}

export interface Alteration {
  readonly kind: AlterationKind;
  /** Which of its kind, for people and for figures apart: `before, adjective`. */
  readonly how: string;
  readonly question: string;
  readonly due: Due;
}

/** An alteration that cannot be made with a certain outcome. */
export interface NotMade {
  readonly kind: AlterationKind;
  readonly because: string;
}

/** What a maker gives for one place: variants, best first; of those the first is taken whose rows can tell. */
export type Made = { readonly variants: readonly Alteration[] } | NotMade;

/** A question that is answered right, with all that an alteration needs to know of it. */
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
