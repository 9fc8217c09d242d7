import type { Assumption } from '../../../../answer.ts';
import type { Dataset } from '../../../../knowledge/semantic/index.ts';
import type { Predicate } from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';

const LIFTED = 'none';

/** Whether a person wants the rows that a default filter leaves out. */
export function isLiftedFilter({ name }: Dataset, { assume }: GroundedKnowledge): boolean {
  return assume?.[idOf(name)] === LIFTED;
}

/** The default filters of tables, as conditions of a query that reads them; none of those that a person lifted. */
export function defaultPredicates(tables: ReadonlySet<string>, knowledge: GroundedKnowledge): Predicate[] {
  return knowledge.semantics.datasets
    .filter((dataset) => tables.has(dataset.table) && !isLiftedFilter(dataset, knowledge))
    .flatMap(({ defaultFilter }): Predicate[] =>
      defaultFilter === undefined
        ? []
        : [{ kind: 'raw', sql: defaultFilter.sql, cause: { why: defaultFilter.text, certainty: 'assumed' } }],
    );
}

/** The default filters of tables that are read, said to people; each can be lifted. A row filter of the access policy is none. */
export function filterAssumptions(tables: ReadonlySet<string>, knowledge: GroundedKnowledge): Assumption[] {
  return knowledge.semantics.datasets.flatMap((dataset): Assumption[] => {
    const { name, table, defaultFilter } = dataset;
    if (!tables.has(table) || defaultFilter === undefined) return [];
    const [on, off] = [
      { choice: 'on', label: defaultFilter.text },
      { choice: LIFTED, label: `every row of ${name}` },
    ];
    return isLiftedFilter(dataset, knowledge)
      ? [
          {
            kind: 'filter',
            id: idOf(name),
            taken: off.choice,
            text: `${name}: every row`,
            alternatives: [on],
          },
        ]
      : [
          {
            kind: 'filter',
            id: idOf(name),
            taken: on.choice,
            text: `${name}: ${on.label}`,
            alternatives: [off],
          },
        ];
  });
}

function idOf(dataset: string): string {
  return `filter.${dataset}`;
}
