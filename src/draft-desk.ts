/** What drafting may use, bound to one question: the checks, the rules, the database, the researcher's tools. */
import { type Catalog, type SharedText, sharedSchemaText, type Table, valueTexts } from './catalog/index.ts';
import type { DraftDesk, Run, Verdict } from './draft-query.ts';
import { CandorError, type ErrorCode } from './errors.ts';
import {
  type CertainFault,
  certainFaults,
  prepareSchemaFacts,
  readQuery,
  repairByRules,
  type SchemaFacts,
} from './faults/index.ts';
import type { ModeSettings, ResearchDesk } from './generation/index.ts';
import { findValues, type Retrieved } from './knowledge/index.ts';
import { linkingOf } from './link-question.ts';
import { type LinkedSchema, restrictCatalog } from './linking/index.ts';
import type { WriteReasoner } from './reasoning/index.ts';
import { runCapped } from './run-capped.ts';
import type { Session } from './session.ts';
import { validateSql } from './validation/index.ts';
import { schemaTextOf } from './write-question-of.ts';

export interface DraftDeskParts {
  readonly session: Session;
  readonly writer: WriteReasoner;
  readonly mode: ModeSettings;
  readonly linked: LinkedSchema;
  readonly retrieved: Retrieved;
  readonly signal?: AbortSignal | undefined;
}

/** Every part reads the session as its asker may: the guarded database, the restricted catalog and values. */
export function draftDesk(parts: DraftDeskParts): DraftDesk {
  const { session, writer, mode, signal } = parts;
  return {
    writer,
    mode,
    check: (sql) => check(sql, session, signal),
    repair: (sql) => repair(sql, session),
    ...(mode.executes && { run: (sql: string) => run(sql, session, signal) }),
    research: researchDesk(parts),
    withTables: (question, tables) => ({ ...question, schema: widerSchema(tables, parts) }),
  };
}

async function check(
  sql: string,
  { catalog, database }: Session,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  const { ok, checks, errors } = await validateSql(sql, { catalog, database, ...(signal && { signal }) });
  const hasWrongNames = checks.some(({ name, passed }) => name === 'names' && !passed);
  return { ok, checks, problems: errors, hasWrongNames };
}

async function repair(sql: string, { catalog }: Session): ReturnType<DraftDesk['repair']> {
  const read = readQuery(sql, catalog.dialect, catalog);
  if (!read.ok) return undefined;
  const repaired = repairByRules(read.query, factsOf(catalog));
  return (
    repaired && {
      sql: repaired.query.tree.text,
      changes: repaired.changes.map(({ text, because }) => `${text}: ${because}`),
    }
  );
}

/** What the engine says of one query is for the writer to mend; anything else ends the question. */
const OF_THE_QUERY: ReadonlySet<ErrorCode> = new Set([
  'database.query-failed',
  'database.timeout',
  'database.too-expensive',
  'database.not-visible',
  'database.not-restrictable',
  'database.not-read-only',
]);

async function run(sql: string, session: Session, signal: AbortSignal | undefined): Promise<Run> {
  try {
    const result = await runCapped(sql, session, signal);
    if (result instanceof CandorError) return { ok: false, error: result.message };
    const doubts = faultsOf(sql, session);
    return { ok: true, result, doubts: doubts.map((fault) => doubtText(fault, sql)) };
  } catch (error) {
    if (!(error instanceof CandorError) || !OF_THE_QUERY.has(error.code)) throw error;
    return { ok: false, error: error.message };
  }
}

function faultsOf(sql: string, { catalog }: Session): readonly CertainFault[] {
  const read = readQuery(sql, catalog.dialect, catalog);
  return read.ok ? certainFaults(read.query, factsOf(catalog)) : [];
}

const FACTS = new WeakMap<Catalog, SchemaFacts>();

/** Made once for a catalog. */
function factsOf(catalog: Catalog): SchemaFacts {
  const facts = FACTS.get(catalog) ?? prepareSchemaFacts(catalog);
  FACTS.set(catalog, facts);
  return facts;
}

function doubtText({ span, text, instead }: CertainFault, sql: string): string {
  const stored = instead.length === 0 ? '' : `: ${instead.join(' | ')}`;
  return `${sql.slice(span.start, span.end)}: ${text}${stored}`;
}

function researchDesk({ session, writer, retrieved, signal }: DraftDeskParts): ResearchDesk {
  const { catalog, values } = session;
  const { sharing = 'all' } = writer;
  return {
    findTables: async (text) => {
      const { base } = await linkingOf(session);
      const found = await base.retrieve({ question: text, keywords: [text], ...(signal && { signal }) });
      const tables = new Set([...found.tables, ...retrieved.tables].map(({ item }) => item.tableId));
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

/** The linked schema with more tables, whole. */
function widerSchema(
  more: readonly string[],
  { session: { catalog }, writer: { sharing = 'all' }, linked, retrieved }: DraftDeskParts,
): SharedText {
  const shown = linked.catalog.tables;
  const added = catalog.tables.filter(({ id }) => more.includes(id));
  const tables = new Set([...shown, ...added].map(({ id }) => id));
  const columns = new Set([...shown, ...added].flatMap((table) => table.columns.map(({ id }) => id)));
  return schemaTextOf({
    linked: { ...linked, catalog: restrictCatalog(catalog, tables, columns) },
    retrieved,
    sharing,
  });
}
