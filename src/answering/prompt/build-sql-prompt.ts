/** What the writer sees of a question: the context, what the built-in engine makes of it, and how answers are wanted. */

import { withoutHidden } from '../../knowledge/authored/index.ts';
import { chooseAreas } from '../../knowledge/clusters/index.ts';
import type { TokenLedger } from '../../model/index.ts';
import type { EngineReading, WriteQuestion } from '../../reasoning/roles/write-reasoner.ts';
import type { Session } from '../../session/index.ts';
import type { Interpretation } from '../answer/answer-context.ts';
import type { QuestionContext } from './question-context.ts';

export interface SqlPromptParts {
  readonly text: string;
  readonly hint?: string | undefined;
  readonly context: QuestionContext;
  /** What the built-in engine makes of it; absent: it was not asked. */
  readonly reading?: EngineReading | undefined;
  /** A query that fails and is to be mended. */
  readonly previous?: { readonly sql: string; readonly error: string } | undefined;
  /** A query that the person gave. */
  readonly given?: string | undefined;
  /** What was found against the last reply to the same question. */
  readonly objection?: string | undefined;
  /** The present of the question. */
  readonly now: Date;
  /** How people of the product areas, and the semantic model, want queries written. */
  readonly instructions?: string | undefined;
  readonly ledger: TokenLedger;
  /** Shuffles tables and columns; absent: the order of the catalog. */
  readonly seed?: number;
  readonly signal?: AbortSignal | undefined;
}

export function buildSqlPrompt(parts: SqlPromptParts): WriteQuestion {
  const { text, hint, context, reading, objection, now, instructions, ledger, seed, signal } = parts;
  const { previous, given } = parts;
  return {
    ...(previous !== undefined && {
      failed: { sql: previous.sql, problems: [], engineError: previous.error },
    }),
    ...{ text, hint, given, reading, objection, instructions, ledger, signal },
    definitions: context.definitions,
    knowledge: context.notes,
    examples: context.pairs.map(({ question, sql }) => ({ question, sql })),
    schema: context.schema({ seed }),
    cuts: context.cuts,
    values: context.values,
    dialect: context.catalog.dialect,
    today: now.toISOString().slice(0, 10),
  };
}

/** A reading less likely than this would mislead more often than help; to be moved with what is worth an answer. */
const WORTH_SAYING = 0.63;
/** A long query is as long to read as to write. */
const MOST_CHARACTERS = 600;

/** Undefined where the engine has nothing to say that a model could use: what it merely fails to understand is no doubt. */
export function readingFor({ decision, unexplained }: Interpretation): EngineReading | undefined {
  const [best] = decision.kind === 'sql' ? decision.readings : [];
  const sql = best !== undefined && best.probability >= WORTH_SAYING ? best.sql : '';
  const isShown = sql !== '' && sql.length <= MOST_CHARACTERS;
  const doubt = decision.kind === 'boundary' ? doubtOf(decision.boundary) : undefined;
  if (!isShown && doubt === undefined) return undefined;
  return {
    unread: unexplained,
    ...(isShown && { sql }),
    ...(doubt !== undefined && { doubt }),
  };
}

function doubtOf(
  boundary: Extract<Interpretation['decision'], { readonly kind: 'boundary' }>['boundary'],
): string | undefined {
  if (boundary.kind === 'reject' || (boundary.kind === 'clarify' && boundary.phrase === '')) return undefined;
  const options = boundary.options.map(({ label }) => label).join(' / ');
  return `it would ask: ${boundary.ask}${options === '' ? '' : ` (${options})`}`;
}

/** What the semantic model, and the product areas of whoever asks, say about how queries are to be written. */
export function instructionsOf({
  config: { user, areas },
  authored,
  semantics,
  ...sight
}: Pick<Session, 'config' | 'authored' | 'semantics' | 'catalog' | 'hiddenTables'>): string | undefined {
  const ofAreas = chooseAreas(user, areas, authored).flatMap(({ instructions }) => instructions ?? []);
  const texts = [semantics.instructions ?? '', ...ofAreas].filter((text) => text !== '');
  const told = texts.map((text) => withoutHidden(text.split('\n'), sight).join('\n'));
  return told.join('\n') || undefined;
}
