import type { Check } from '../../answer.ts';
import type { Catalog } from '../../catalog/index.ts';
import { type NearValues, prepareSchemaFacts, type SchemaFacts, storedNear } from '../../faults/index.ts';
import { readQuery } from '../../faults/reading/index.ts';
import type { Session } from '../../session/index.ts';
import { type DiagnosisContext, findBrokenDefinitions } from '../../validation/index.ts';

export type Diagnosed = Pick<Session, 'catalog' | 'database' | 'values' | 'semantics'>;

const FACTS = new WeakMap<Catalog, SchemaFacts>();

/** The facts of a catalog that rules look at, made once. */
export function schemaFactsOf(catalog: Catalog): SchemaFacts {
  const known = FACTS.get(catalog) ?? prepareSchemaFacts(catalog);
  FACTS.set(catalog, known);
  return known;
}

/** What diagnosing and repairing SQL of a session takes; facts of a catalog are made once. */
export function diagnosisContextOf(
  session: Diagnosed,
  {
    question,
    signal,
  }: { readonly question?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): DiagnosisContext & { readonly nearValues: NearValues } {
  const { catalog, database, semantics } = session;
  const schema = schemaFactsOf(catalog);
  const definitions = { semantics, question };
  return { schema, database, definitions, nearValues: nearIn(session, schema), ...(signal && { signal }) };
}

/** The definitions that a query breaks, as a check; none where it keeps to all. */
export function definitionChecks(broken: readonly string[]): readonly Check[] {
  return broken.length === 0 ? [] : [{ name: 'definitions', passed: false, detail: broken.join('; ') }];
}

/** The definitions that a query breaks, in sentences. */
export function brokenDefinitions(sql: string, session: Diagnosed, question: string): readonly string[] {
  const { schema, definitions } = diagnosisContextOf(session, { question });
  const read = readQuery(sql, schema.catalog.dialect, schema.catalog);
  if (!read.ok || definitions === undefined) return [];
  return findBrokenDefinitions(read.query, schema, definitions).map(({ text }) => text);
}

const MOST_NEAR = 20;

/** By the value index, which knows all values; then by what the profiles keep. */
function nearIn({ values }: Pick<Session, 'values'>, schema: SchemaFacts): NearValues {
  const stored = storedNear(schema);
  return (columnId, text) => {
    const scope = new Set([schema.columns.get(columnId)?.tableId ?? '']);
    const like = values.similar(text, { limit: MOST_NEAR, scope });
    const own = like.filter((hit) => hit.columnId === columnId).map(({ value }) => value);
    return [...new Set([...own, ...stored(columnId, text)])];
  };
}
