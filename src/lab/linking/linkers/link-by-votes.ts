/** Votes of a reasoner's paths without chunks and refinement: what every threshold would keep, from one run. */
import type { Catalog } from '../../../catalog/index.ts';
import { shareCatalog } from '../../../catalog/share/index.ts';
import { CandorError } from '../../../errors.ts';
import { TokenLedger } from '../../../model/index.ts';
import type {
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  SchemaView,
} from '../../../reasoning/roles/link-reasoner.ts';
import type { AskedCase } from './case-linker.ts';

export interface Votes {
  /** Paths that chose an item, by canonical id. */
  readonly tables: ReadonlyMap<string, number>;
  readonly fields: ReadonlyMap<string, number>;
  /** Paths that did not fail. */
  readonly paths: number;
  readonly tokens: number;
}

/** A path that fails is left out and K reduced (section 16); when all fail, `linking.no-path` is thrown. */
export async function linkByVotes(
  asked: AskedCase,
  catalog: Catalog,
  reasoner: LinkReasoner,
  options: { readonly most: number; readonly signal?: AbortSignal },
): Promise<Votes> {
  const ledger = new TokenLedger();
  const question: LinkQuestion = {
    text: asked.question,
    hint: asked.hint,
    knowledge: [],
    ledger,
    ...(options.signal && { signal: options.signal }),
  };
  const skeleton = viewOf(catalog, 'L0');
  const hypotheses = await reasoner.hypothesise(question, skeleton, options.most);
  const path = (hypothesis: LinkHypothesis) =>
    groundPath({ question, hypothesis, catalog, skeleton, reasoner });
  const settled = await Promise.allSettled(hypotheses.map(path));
  const grounded = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  const bug = failed.find((reason) => !(reason instanceof CandorError));
  if (bug !== undefined) throw bug;
  if (grounded.length === 0)
    throw new CandorError('linking.no-path', `all ${hypotheses.length} paths failed`);
  return {
    tables: count(grounded.map(({ tables }) => tables)),
    fields: count(grounded.map(({ fields }) => fields)),
    paths: grounded.length,
    tokens: ledger.total,
  };
}

/** Items that at least one path chose and whose credibility (s + 1) / (K + 2) reaches `tau` per cent. */
export function keptAt(
  { tables, fields, paths }: Votes,
  tau: number,
): { tables: Set<string>; fields: Set<string> } {
  const isKept = (support: number): boolean => (support + 1) * 100 >= tau * (paths + 2);
  const kept = (votes: ReadonlyMap<string, number>): string[] =>
    [...votes].flatMap(([id, support]) => (isKept(support) ? [id] : []));
  const keptFields = kept(fields);
  const owners = keptFields.map((id) => id.slice(0, id.lastIndexOf('.')));
  return { tables: new Set([...kept(tables), ...owners]), fields: new Set(keptFields) };
}

interface Grounding {
  readonly question: LinkQuestion;
  readonly hypothesis: LinkHypothesis;
  readonly catalog: Catalog;
  readonly skeleton: SchemaView;
  readonly reasoner: LinkReasoner;
}

async function groundPath({ question, hypothesis, catalog, skeleton, reasoner }: Grounding) {
  const named = await reasoner.selectTables(question, hypothesis, skeleton);
  const tables = new Set(named.map(({ name }) => name));
  const chosen = { ...catalog, tables: catalog.tables.filter(({ id }) => tables.has(id)) };
  const fields = await reasoner.selectFields(question, hypothesis, viewOf(chosen, 'L1'));
  return { tables, fields: new Set(fields.map(({ table, column }) => `${table}.${column.toLowerCase()}`)) };
}

function viewOf(catalog: Catalog, level: 'L0' | 'L1'): SchemaView {
  return {
    level,
    tables: shareCatalog(catalog, 'all').tables.map((table) => ({
      table,
      columns: table.columns,
      notes: new Map(),
    })),
  };
}

function count(paths: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) for (const id of path) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
