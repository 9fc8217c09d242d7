import type { Config } from '../../config/index.ts';
import {
  type KnownData,
  type KnownSchema,
  readableExamples,
  readVisibleAuthored,
  restrictKnowledge,
  type SemanticModel,
  withProposedSynonyms,
} from '../../knowledge/index.ts';
import type { UserRights } from './user-databases.ts';

/** What a session knows without the tables that the rights leave out, and without what tells of them. Throws `knowledge.invalid`. */
export async function knownToUser(
  session: KnownSchema & { readonly config: Config },
  user: string,
  { tables }: UserRights,
): Promise<KnownSchema> {
  const { semantics, examples, hiddenTables } = session;
  const all: KnownData = session;
  const { catalog, values } = tables === undefined ? all : restrictKnowledge(all, { visibleTables: tables });
  const visible = new Set(catalog.tables.map(({ id }) => id));
  // Names are looked up among all tables: a note about a hidden one must be known as such.
  const hidden = all.catalog.tables.flatMap(({ id }) => (visible.has(id) ? [] : [id]));
  const allHidden = new Set([...hiddenTables, ...hidden]);
  const sight = { catalog, hiddenTables: allHidden };
  const authored = await readVisibleAuthored(session.config, all.catalog, sight);
  return {
    catalog,
    values,
    examples: readableExamples(examples, catalog, allHidden),
    hiddenTables: allHidden,
    semantics: withProposedSynonyms(
      hidden.length === 0 ? semantics : withoutTables(semantics, new Set(hidden)),
      authored.notes,
      user,
    ),
    authored,
  };
}

/** The semantic model without what is defined on hidden tables: even the names of figures tell of them. */
function withoutTables(semantics: SemanticModel, hidden: ReadonlySet<string>): SemanticModel {
  const isHidden = (table: string | undefined): boolean => table !== undefined && hidden.has(table);
  const metrics = semantics.metrics.filter(({ table }) => !isHidden(table));
  const names = new Set(metrics.map(({ name }) => name));
  const isWhole = ({ ratio }: (typeof metrics)[number]): boolean =>
    ratio === undefined || (names.has(ratio.numerator) && names.has(ratio.denominator));
  return {
    ...semantics,
    datasets: semantics.datasets.filter(({ table }) => !isHidden(table)),
    relationships: semantics.relationships.filter(({ from, to }) => !isHidden(from) && !isHidden(to)),
    metrics: metrics.filter(isWhole),
    dimensions: semantics.dimensions.filter(({ table }) => !isHidden(table)),
  };
}
