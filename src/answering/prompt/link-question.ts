/** The way of `candor link`: a question to the part of the schema it needs, with every reason. */

import type { QueryLimits } from '../../database/index.ts';
import type { KnowledgeBase } from '../../knowledge/base/index.ts';
import type { Retrieved } from '../../knowledge/retrieve/index.ts';
import {
  LINK_DEFAULTS,
  type LinkedSchema,
  type LinkSettings,
  linkSchema,
  type NormalisedQuestion,
  normalise,
  type PreparedLinking,
  prepareLinking,
  restrictCatalog,
} from '../../linking/index.ts';
import { TokenLedger } from '../../model/index.ts';
import { readEvidence } from '../../onboarding/index.ts';
import { hypothesise, rankByRetrieval } from '../../reasoning/grounded/index.ts';
import type { LinkReasoner } from '../../reasoning/roles/link-reasoner.ts';
import type { NormaliseReasoner } from '../../reasoning/roles/normalise-reasoner.ts';
import type { Session } from '../../session/index.ts';

export interface LinkQuestionOptions {
  /** Outside knowledge given with the question. */
  readonly hint?: string;
  /** Earlier questions of the conversation, oldest first. */
  readonly history?: readonly string[];
  readonly settings?: LinkSettings;
  /** Who reads and links besides the built-in engine. */
  readonly roles?: LinkingRoles;
  /** False: a model that links runs no queries to find out. */
  readonly probes?: boolean;
  readonly signal?: AbortSignal;
}

/** A language model's part in linking. */
interface LinkingRoles {
  /** Every call goes in here. */
  readonly ledger: TokenLedger;
  /** Hypotheses and votes; absent: the built-in engine's. */
  readonly linker?: LinkReasoner;
  /** Validation, translation and keywords; absent: the built-in rules. */
  readonly normaliser?: NormaliseReasoner;
  /** Tokens that the writer takes. */
  readonly contextWindow?: number;
}

export interface LinkedQuestion {
  readonly question: NormalisedQuestion;
  /** Null where the text is no question to link; `question` says why. */
  readonly linked: LinkedSchema | null;
  /** What was found beside the schema; null where nothing was looked for. */
  readonly retrieved: Retrieved | null;
  /** What logs and the scope of whoever asks tell, for the context. */
  readonly base: Pick<KnowledgeBase, 'usage' | 'scope'>;
  readonly ms: number;
}

/** Links questions over one session; what depends on the schema alone is made ready once. */
export async function openLinking(session: Session, base: KnowledgeBase): Promise<Linking> {
  const { tables: scope } = base.scope;
  const catalog =
    scope === undefined
      ? session.catalog
      : restrictCatalog(session.catalog, scope, allColumns(session, scope));
  return {
    session,
    base,
    prepared: await prepareLinking(catalog, { values: session.values, graph: base.graph }),
  };
}

export interface Linking {
  readonly session: Session;
  readonly base: KnowledgeBase;
  readonly prepared: PreparedLinking;
}

const LINKINGS = new WeakMap<Session, Promise<Linking>>();

/** The linking of a session, made ready at the first call over its knowledge base; a failure is not remembered. */
export function linkingOf(session: Session): Promise<Linking> {
  const known = LINKINGS.get(session);
  if (known !== undefined) return known;
  const made = session.base.open().then((base) => openLinking(session, base));
  LINKINGS.set(session, made);
  made.catch(() => LINKINGS.delete(session));
  return made;
}

/** A prompt that is filled by what may be needed looks further down the list than people and rankers do. */
const MOST_TABLES = 100;

/** Throws `question.too-long`, and what retrieval and linking throw. */
export async function linkQuestion(
  text: string,
  { session, base, prepared }: Linking,
  { hint, history = [], settings = LINK_DEFAULTS, roles, probes = true, signal }: LinkQuestionOptions = {},
): Promise<LinkedQuestion> {
  const from = performance.now();
  const ledger = roles?.ledger ?? new TokenLedger();
  const question = await normalise(text, {
    history,
    ledger,
    isKnownWord: prepared.tables.isNameWord,
    ...(roles?.normaliser && { reasoner: roles.normaliser }),
    ...(signal && { signal }),
  });
  if (question.validity !== 'ok')
    return { question, linked: null, retrieved: null, base, ms: performance.now() - from };
  const withHint = hint === undefined ? {} : { hint };
  const retrieved = await base.retrieve({
    question: question.question,
    keywords: question.keywords,
    ...withHint,
    ...(settings.viewTokens !== undefined && { mostTables: MOST_TABLES }),
    ...(signal && { signal }),
  });
  const linked = await linkSchema(
    {
      text: question.question,
      ...withHint,
      knowledge: [
        ...retrieved.notes.map(({ item }) => item.text),
        ...retrieved.jargon.map(({ term, meaning }) => `${term}: ${meaning}`),
      ],
      ledger,
      ...(signal && { signal }),
    },
    {
      ...prepared,
      semantics: session.semantics,
      keywords: question.keywords,
      quoted: question.quoted,
      retrieved,
      graph: base.graph,
      readings: () =>
        hypothesise(question.question, session.knowledge, session.clock(), hint).readings.map(
          ({ sql }) => sql,
        ),
      ranker: rankByRetrieval(),
      ...(roles?.linker && { reasoner: roles.linker }),
      ...(roles?.contextWindow !== undefined && { contextWindow: roles.contextWindow }),
      statisticsOf: async (columnId) => {
        const column = prepared.tables.column(columnId);
        // What is stored was read over all rows: where the policy hides some, it has taken out the profile.
        if (column?.profile === undefined) return undefined;
        const stored = await readEvidence(session.config.derivedDirectory, column.tableId);
        return stored?.columns.find(({ id }) => id === columnId)?.profile?.statistics;
      },
      ...(probes && {
        probe: (sql: string, limits: QueryLimits, stop?: AbortSignal) =>
          session.database.query(sql, limits, stop),
      }),
    },
    settings,
  );
  return { question, linked, retrieved, base, ms: performance.now() - from };
}

function allColumns({ catalog }: Session, scope: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    catalog.tables.flatMap(({ id, columns }) => (scope.has(id) ? columns.map((column) => column.id) : [])),
  );
}
