import type { SchemaFacts } from '../../faults/index.ts';
import type { QueryUses } from '../rules/definitions/query-uses.ts';

const ENDS = new Set(['Max', 'Min']);
const FIGURES = new Set(['Count', 'Sum', 'Avg']);

/** Whether the only ends that the query looks for are the highest and lowest of numbers that only name rows. */
export function endsAreKeys({ nodes, mentions }: QueryUses, { catalog }: SchemaFacts): boolean {
  const keys = new Set([
    ...catalog.foreignKeys.flatMap(({ fromColumns }) => fromColumns),
    ...catalog.tables.flatMap(({ primaryKey }) => primaryKey),
  ]);
  const ends = nodes.filter(({ type }) => ENDS.has(type));
  const columns = [...mentions];
  return (
    ends.length > 0 &&
    !nodes.some(({ type }) => type === 'Ordered') &&
    ends.every(({ start, end }) => {
      const isInside = (one: { readonly start: number; readonly end: number }): boolean =>
        one.start >= start && one.end <= end;
      const own = columns.filter(({ node }) => isInside(node));
      const isFigure = nodes.some((node) => FIGURES.has(node.type) && isInside(node));
      return !isFigure && own.length > 0 && own.every(({ id }) => keys.has(id));
    })
  );
}
