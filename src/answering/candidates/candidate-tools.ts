/** What drafting may use, bound to one question: the checks, the rules, the database, the researcher's tools. */
import type { Catalog, Table } from '../../catalog/index.ts';
import { type SharedText, sharedSchemaText, valueTexts } from '../../catalog/share/index.ts';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { guessesFor, repairSql } from '../../faults/index.ts';
import type { ModeSettings, ResearchTools } from '../../generation/index.ts';
import { findValues, type Retrieved } from '../../knowledge/retrieve/index.ts';
import { restrictCatalog } from '../../linking/index.ts';
import type { WriteReasoner } from '../../reasoning/roles/write-reasoner.ts';
import type { Session } from '../../session/index.ts';
import { type DiagnosisContext, diagnoseSql, type Problem, weighProblems } from '../../validation/index.ts';
import { diagnosisContextOf } from '../assess/diagnosis-context.ts';
import { runCapped } from '../assess/run-sql.ts';
import { linkingOf } from '../prompt/link-question.ts';
import type { QuestionContext } from '../prompt/question-context.ts';
import type { CandidateTools, Run, Verdict } from './generate-candidates.ts';

export interface CandidateToolsParts {
  /** What definitions are held against; absent: those that hold for every question. */
  readonly question?: string | undefined;
  readonly session: Session;
  readonly writer: WriteReasoner;
  readonly mode: ModeSettings;
  readonly context: QuestionContext;
  /** What was found for the question; absent: nothing was looked for. */
  readonly retrieved: Retrieved | null;
  readonly signal?: AbortSignal | undefined;
}

/** Every part reads the session as its asker may: the guarded database, the restricted catalog and values. */
export function candidateTools(parts: CandidateToolsParts): CandidateTools {
  const { session, writer, mode, question, signal } = parts;
  const context = diagnosisContextOf(session, { question, signal });
  return {
    writer,
    mode,
    check: (sql) => check(sql, context),
    repair: (sql) => repair(sql, context),
    possibilities: (sql) => guessesFor(sql, context.schema, { nearValues: context.nearValues }),
    ...(mode.executes && { run: (sql: string) => run(sql, session, signal) }),
    research: researchTools(parts),
    pairs: parts.context.pairs,
    withTables: (question, tables) => ({ ...question, schema: parts.context.schema({ tables }) }),
  };
}

async function check(sql: string, context: DiagnosisContext): Promise<Verdict> {
  const { ok, checks, problems } = await diagnoseSql(sql, context);
  const errors = problems.filter(({ severity }) => severity === 'error');
  return {
    ok,
    checks,
    problems: errors.map(problemText),
    doubts: problems
      .filter(({ severity, kind }) => severity === 'warning' && kind !== 'definition')
      .map(problemText),
    breaks: problems.filter(({ kind }) => kind === 'definition').map(problemText),
    weight: weighProblems(problems),
    hasWrongNames: errors.some(({ kind }) => kind === 'unknown-table' || kind === 'unknown-column'),
  };
}

function problemText({ text, instead }: Problem): string {
  return instead.length === 0 ? text : `${text}; there is ${instead.join(', ')}`;
}

function repair(
  sql: string,
  { schema, nearValues }: DiagnosisContext & Required<Pick<DiagnosisContext, 'nearValues'>>,
): ReturnType<CandidateTools['repair']> {
  const repaired = repairSql(sql, schema, { nearValues });
  const changes = repaired?.changes.map(({ from, to, because }) => `${from} → ${to}: ${because}`);
  return repaired && { sql: repaired.sql, changes: changes ?? [] };
}

/** What the engine says of one query is for the writer to mend; anything else ends the question. */
const OF_THE_QUERY: ReadonlySet<ErrorCode> = new Set([
  'sql.too-large',
  'sql.analysis-failed',
  'database.query-failed',
  'database.rows-cut',
  'database.timeout',
  'database.too-expensive',
  'database.not-visible',
  'database.not-restrictable',
  'database.own-code',
  'database.not-read-only',
]);

async function run(sql: string, session: Session, signal: AbortSignal | undefined): Promise<Run> {
  try {
    const result = await runCapped(sql, session, signal);
    if (result instanceof CandorError) return { ok: false, error: result.message };
    return { ok: true, result };
  } catch (error) {
    if (!(error instanceof CandorError) || !OF_THE_QUERY.has(error.code)) throw error;
    return { ok: false, error: error.message };
  }
}

function researchTools({ session, writer, retrieved, signal }: CandidateToolsParts): ResearchTools {
  const { catalog, values } = session;
  const { sharing = 'all' } = writer;
  return {
    findTables: async (text) => {
      const { base } = await linkingOf(session);
      const found = await base.retrieve({ question: text, keywords: [text], ...(signal && { signal }) });
      // A small schema is found whole, also by words that it does not know.
      if (found.tables.every(({ because }) => because.length === 0)) return [];
      const tables = new Set([...found.tables, ...(retrieved?.tables ?? [])].map(({ item }) => item.tableId));
      return [...tables].filter((id) => catalog.tables.some((table) => table.id === id));
    },
    describeTable: (name) => {
      const table = tableNamed(name, catalog);
      return table && { id: table.id, text: sharedSchemaText(partOf(catalog, [table.id]), sharing) };
    },
    ...(sharing === 'all' && { findValues: (text: string, column?: string) => valuesLike(text, column) }),
  };

  async function valuesLike(text: string, column: string | undefined): Promise<readonly SharedText[]> {
    const found = await findValues([text], values, { ...(signal && { signal }) });
    const lines = found.values
      .filter(({ item }) => column === undefined || isNamed(item.columnId, column))
      .map(({ item }) => `${item.columnId}: ${item.values.map(({ value }) => value).join(' | ')}`);
    return valueTexts(lines, sharing);
  }
}

function isNamed(id: string, written: string): boolean {
  const name = written
    .trim()
    .toLowerCase()
    .replace(/["`[\]]/g, '');
  return id === name || id.endsWith(`.${name}`);
}

function tableNamed(name: string, { tables }: Catalog): Table | undefined {
  return (
    tables.find(({ id }) => id === name.trim().toLowerCase()) ?? tables.find(({ id }) => isNamed(id, name))
  );
}

/** Whole tables of a catalog. */
function partOf(catalog: Catalog, ids: readonly string[]): Catalog {
  const columns = catalog.tables.flatMap((table) => (ids.includes(table.id) ? table.columns : []));
  return restrictCatalog(catalog, new Set(ids), new Set(columns.map(({ id }) => id)));
}
