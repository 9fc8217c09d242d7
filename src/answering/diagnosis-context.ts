import type { Catalog } from '../catalog/index.ts';
import { type NearValues, prepareSchemaFacts, type SchemaFacts, storedNear } from '../faults/index.ts';
import type { Session } from '../session.ts';
import type { DiagnosisContext } from '../validation/index.ts';

export type Diagnosed = Pick<Session, 'catalog' | 'database' | 'values' | 'semantics'>;

const FACTS = new WeakMap<Catalog, SchemaFacts>();

/** What diagnosing and repairing SQL of a session takes; facts of a catalog are made once. */
export function diagnosisContextOf(
  session: Diagnosed,
  {
    question,
    signal,
  }: { readonly question?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): DiagnosisContext & { readonly nearValues: NearValues } {
  const { catalog, database, semantics } = session;
  const schema = FACTS.get(catalog) ?? prepareSchemaFacts(catalog);
  FACTS.set(catalog, schema);
  const definitions = { semantics, question };
  return { schema, database, definitions, nearValues: nearIn(session, schema), ...(signal && { signal }) };
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
