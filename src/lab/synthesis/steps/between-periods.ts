/** Steps between two periods: growth in percent, difference, change of a share, change of rank. */
import type { Expression, SelectQuery } from '../../../sql/print/index.ts';
import type { Period } from '../items/structure.ts';
import { type BlockRequest, column, columnName, FIGURE, NOTHING } from './block.ts';
import type { FigureRow, StepTask, StepWriter } from './step-writer.ts';

export const growth: StepWriter<'growth'> = {
  compile: (task) =>
    paired(task, (before, after) => times100(divide(minus(after, before), before)), 'growth_percent'),
  workOut: async (task, read) => pairs(task, read, (before, after) => (100 * (after - before)) / before),
};

export const difference: StepWriter<'difference'> = {
  compile: (task) => paired(task, (before, after) => minus(after, before), 'difference'),
  workOut: async (task, read) => pairs(task, read, (before, after) => after - before),
};

export const shareChange: StepWriter<'share-change'> = {
  compile: (task) => {
    const { own, step } = task;
    const narrowed = (request: BlockRequest): BlockRequest => ({
      ...request,
      filters: [...request.filters, step.of],
    });
    const earlier = { ...own, period: step.before };
    const blocks = [narrowed(earlier), earlier, narrowed(own), own].map((request) => task.block(request));
    const names = ['part_before', 'whole_before', 'part_after', 'whole_after'];
    const ctes = blocks.flatMap((query, at) => (query === null ? [] : [{ name: names[at] ?? '', query }]));
    if (ctes.length < names.length) return null;
    const of = (name: string): Expression => column(name, FIGURE);
    const change = minus(
      divide(of('part_after'), of('whole_after')),
      divide(of('part_before'), of('whole_before')),
    );
    return {
      ...NOTHING,
      ctes,
      select: [{ expression: times100(change), alias: 'points' }],
      from: { table: 'part_before' },
      joins: names.slice(1).map((table) => ({ kind: 'inner', table: { table }, on: [ALWAYS] })),
    };
  },
  workOut: async ({ own, step }, read) => {
    const figure = async (request: BlockRequest): Promise<number> => (await read(request))[0]?.figure ?? 0;
    const earlier = { ...own, period: step.before };
    const share = async (request: BlockRequest): Promise<number> =>
      (await figure({ ...request, filters: [...request.filters, step.of] })) / (await figure(request));
    const change = 100 * ((await share(own)) - (await share(earlier)));
    return Number.isFinite(change) && change !== 0 ? [[change]] : null;
  },
};

export const rankChange: StepWriter<'rank-change'> = {
  compile: (task) => {
    const pair = blocksOf(task);
    if (pair === null) return null;
    const keys = task.own.groups.map(columnName);
    const ranks = (name: string): SelectQuery => ({
      ...NOTHING,
      select: [
        ...keys.map((key) => ({ expression: column(name, key), alias: key })),
        {
          expression: {
            kind: 'window',
            function: 'rank',
            partitionBy: [],
            orderBy: [{ expression: column(name, FIGURE), direction: 'desc' }],
          },
          alias: 'place',
        },
      ],
      from: { table: name },
    });
    return {
      ...NOTHING,
      ctes: [
        { name: 'before_period', query: pair.before },
        { name: 'after_period', query: pair.after },
        { name: 'ranks_before', query: ranks('before_period') },
        { name: 'ranks_after', query: ranks('after_period') },
      ],
      select: [
        ...keys.map((key) => ({ expression: column('ranks_after', key), alias: key })),
        { expression: column('ranks_before', 'place'), alias: 'rank_before' },
        { expression: column('ranks_after', 'place'), alias: 'rank_after' },
      ],
      from: { table: 'ranks_after' },
      joins: [
        {
          kind: 'inner',
          table: { table: 'ranks_before' },
          on: keys.map((key) => ({ left: column('ranks_before', key), right: column('ranks_after', key) })),
        },
      ],
    };
  },
  workOut: async ({ own, step }, read) => {
    const [before, after] = [await read({ ...own, period: step.before }), await read(own)];
    if (!isSameKeys(before, after) || after.length < 2 || hasTies(before) || hasTies(after)) return null;
    const placeIn = (rows: readonly FigureRow[], row: FigureRow): number => {
      const same = rows.find((other) => keyOf(other) === keyOf(row));
      return 1 + rows.filter(({ figure }) => figure > (same?.figure ?? 0)).length;
    };
    return after.map((row) => [...row.keys, placeIn(before, row), placeIn(after, row)]);
  },
};

/** What all steps between two periods have. */
interface BetweenTask {
  readonly block: StepTask<'growth'>['block'];
  readonly own: BlockRequest;
  readonly step: { readonly before: Period };
}

function blocksOf({
  block,
  own,
  step,
}: BetweenTask): { readonly before: SelectQuery; readonly after: SelectQuery } | null {
  const before = block({ ...own, period: step.before });
  const after = block(own);
  return before === null || after === null ? null : { before, after };
}

/** Both periods side by side, joined on their groups, with one figure made of the two. */
function paired(
  task: BetweenTask,
  value: (before: Expression, after: Expression) => Expression,
  alias: string,
): SelectQuery | null {
  const pair = blocksOf(task);
  if (pair === null) return null;
  const keys = task.own.groups.map(columnName);
  const on = keys.map((key) => ({ left: column('before_period', key), right: column('after_period', key) }));
  return {
    ...NOTHING,
    ctes: [
      { name: 'before_period', query: pair.before },
      { name: 'after_period', query: pair.after },
    ],
    select: [
      ...keys.map((key) => ({ expression: column('after_period', key), alias: key })),
      { expression: value(column('before_period', FIGURE), column('after_period', FIGURE)), alias },
    ],
    from: { table: 'after_period' },
    joins: [{ kind: 'inner', table: { table: 'before_period' }, on: on.length === 0 ? [ALWAYS] : on }],
  };
}

/** Null where a group has rows in one period only, or nothing to compare with. */
async function pairs(
  { own, step }: BetweenTask,
  read: (request: BlockRequest) => Promise<readonly FigureRow[]>,
  value: (before: number, after: number) => number,
): Promise<readonly (readonly (FigureRow['keys'][number] | number)[])[] | null> {
  const [before, after] = [await read({ ...own, period: step.before }), await read(own)];
  if (!isSameKeys(before, after) || before.some(({ figure }) => figure === 0)) return null;
  const earlier = new Map(before.map((row) => [keyOf(row), row.figure]));
  return after.map((row) => [...row.keys, value(earlier.get(keyOf(row)) ?? 0, row.figure)]);
}

function isSameKeys(left: readonly FigureRow[], right: readonly FigureRow[]): boolean {
  const keys = new Set(left.map(keyOf));
  return left.length > 0 && left.length === right.length && right.every((row) => keys.has(keyOf(row)));
}

export function hasTies(rows: readonly FigureRow[]): boolean {
  return new Set(rows.map(({ figure }) => figure)).size < rows.length;
}

function keyOf({ keys }: FigureRow): string {
  return JSON.stringify(keys);
}

export const ALWAYS = {
  left: { kind: 'literal', value: 1 },
  right: { kind: 'literal', value: 1 },
} as const;

export function times100(value: Expression): Expression {
  return { kind: 'arithmetic', operator: '*', left: { kind: 'literal', value: 100 }, right: value };
}

export function divide(left: Expression, right: Expression): Expression {
  return { kind: 'arithmetic', operator: '/', left, right };
}

function minus(left: Expression, right: Expression): Expression {
  return { kind: 'arithmetic', operator: '-', left, right };
}
