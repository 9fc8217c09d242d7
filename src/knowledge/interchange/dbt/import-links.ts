import type { Loss } from '../conversion.ts';
import type { DescribedLink } from '../described-model.ts';
import { recordsIn } from '../foreign-record.ts';
import type { DbtNode } from './dbt-project.ts';
import { relationshipsOf } from './dbt-tests.ts';
import { columnOf, entitiesOf, type SemanticLayer } from './semantic-layer.ts';

interface LinkPlace {
  /** Names of the datasets, in the order of the nodes. */
  readonly names: readonly string[];
  readonly layer: SemanticLayer;
  readonly find: (reference: unknown) => DbtNode | undefined;
  readonly losses: Loss[];
}

/** Links that tests of relationships and shared entities say; each once, since projects often say both. */
export function importLinks(nodes: readonly DbtNode[], place: LinkPlace): DescribedLink[] {
  const links = new Map<string, DescribedLink>();
  for (const link of [...testedLinks(nodes, place), ...entityLinks(place.layer)]) {
    const key = JSON.stringify([link.from, link.fromColumns, link.to, link.toColumns]).toLowerCase();
    if (!links.has(key)) links.set(key, link);
  }
  return [...links.values()];
}

function testedLinks(nodes: readonly DbtNode[], { names, find, losses }: LinkPlace): DescribedLink[] {
  const nameOf = new Map(nodes.map((node, index) => [node, names[index] ?? node.name]));
  return nodes.flatMap(({ properties, place }, index) =>
    recordsIn(properties.columns).flatMap((column) =>
      relationshipsOf(column).flatMap(({ to, field }): DescribedLink[] => {
        const target = find(to);
        if (target === undefined) {
          const what = `a link to ${String(to)}, which is not here`;
          losses.push({ kind: 'kept', place: `${place}.${String(column.name)}`, what });
          return [];
        }
        const [from = '', name = ''] = [names[index], nameOf.get(target)];
        return [{ from, to: name, fromColumns: [String(column.name)], toColumns: [field], synonyms: [] }];
      }),
    ),
  );
}

/** A foreign entity leads to the semantic model that has it as primary or unique. */
function entityLinks({ models }: SemanticLayer): DescribedLink[] {
  return models.flatMap((model) =>
    entitiesOf(model.record, ['foreign']).flatMap((entity) => {
      const column = columnOf(entity);
      if (column === undefined) return [];
      for (const target of models) {
        const key = entitiesOf(target.record, ['primary', 'unique']).find(({ name }) => name === entity.name);
        const keyColumn = key && columnOf(key);
        if (keyColumn === undefined || target === model) continue;
        return [
          {
            from: model.dataset,
            to: target.dataset,
            fromColumns: [column],
            toColumns: [keyColumn],
            synonyms: [],
          },
        ];
      }
      return [];
    }),
  );
}
