import { queryTerms } from '../../knowledge/index.ts';
import { type GroundedKnowledge, splitName } from '../../reasoning/index.ts';
import type { NearName } from './near-name.ts';
import { spoken } from './shown-names.ts';

interface Described {
  readonly near: NearName;
  readonly terms: ReadonlySet<string>;
}

const KEPT = new WeakMap<
  GroundedKnowledge['catalog'],
  WeakMap<GroundedKnowledge['semantics'], readonly Described[]>
>();
const MOST = 3;

/** What people wrote of tables, columns and figures, where all the words stand in it. */
export function searchDescriptions(
  text: string,
  { catalog, semantics }: GroundedKnowledge,
): readonly NearName[] {
  if (queryTerms(text).length === 0) return [];
  const asked = splitName(text);
  const known = KEPT.get(catalog)?.get(semantics);
  const described = known ?? describedThings({ catalog, semantics });
  if (known === undefined) {
    const ofCatalog = KEPT.get(catalog) ?? new WeakMap();
    KEPT.set(catalog, ofCatalog.set(semantics, described));
  }
  return described
    .filter(({ terms }) => asked.every((term) => terms.has(term)))
    .slice(0, MOST)
    .map(({ near }) => near);
}

function describedThings({
  catalog,
  semantics,
}: Pick<GroundedKnowledge, 'catalog' | 'semantics'>): readonly Described[] {
  const one = (name: string, shown: string, what: string, texts: readonly (string | undefined)[]) => {
    const written = texts.filter((text) => text !== undefined && text !== '').join('\n');
    if (written === '') return [];
    const near: NearName = { text: name, shown, what, how: 'description' };
    return [{ near, terms: new Set(splitName(written)) }];
  };
  const { datasets, metrics, dimensions, fields = [] } = semantics;
  return [
    ...metrics.flatMap(({ name, description }) => one(name, name, 'a figure', [description])),
    ...dimensions.flatMap(({ name, description }) => one(name, name, 'a dimension', [description])),
    ...catalog.tables.flatMap((table) => [
      ...one(spoken(table.name), table.name, 'a table', [
        table.comment,
        ...datasets.filter((dataset) => dataset.table === table.id).map(({ description }) => description),
      ]),
      ...table.columns.flatMap((column) =>
        one(spoken(column.name), `${table.name}.${column.name}`, `a column of ${table.name}`, [
          column.comment,
          ...fields
            .filter((field) => field.column === column.id)
            .flatMap(({ name, synonyms, description }) => [name, ...synonyms, description]),
        ]),
      ),
    ]),
  ];
}
