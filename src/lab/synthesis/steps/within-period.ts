/** Steps over the figures of one period: shares, best per group, above average, largest rise, means, counts. */
import type { Expression, SelectQuery } from '../../../sql/print/index.ts';
import { ALWAYS, divide, hasTies, times100 } from './between-periods.ts';
import { column, columnName, FIGURE, NOTHING } from './block.ts';
import type { FigureRow, StepWriter } from './step-writer.ts';

export const share: StepWriter<'share'> = {
  compile: ({ block, own, step }) => {
    const part = block({ ...own, filters: [...own.filters, step.of] });
    const whole = block(own);
    if (part === null || whole === null) return null;
    const value = divide(column('part', FIGURE), column('whole', FIGURE));
    return {
      ...NOTHING,
      ctes: [
        { name: 'part', query: part },
        { name: 'whole', query: whole },
      ],
      select: [{ expression: step.inPercent ? times100(value) : value, alias: 'share' }],
      from: { table: 'part' },
      joins: [{ kind: 'inner', table: { table: 'whole' }, on: [ALWAYS] }],
    };
  },
  workOut: async ({ own, step }, read) => {
    const [part] = await read({ ...own, filters: [...own.filters, step.of] });
    const [whole] = await read(own);
    const value = ((step.inPercent ? 100 : 1) * (part?.figure ?? 0)) / (whole?.figure ?? 0);
    return Number.isFinite(value) && value > 0 ? [[value]] : null;
  },
};

export const shares: StepWriter<'shares'> = {
  compile: ({ block, own, step }) => {
    const parts = block(own);
    const whole = block({ ...own, groups: [] });
    if (parts === null || whole === null) return null;
    const value = divide(column('parts', FIGURE), column('whole', FIGURE));
    return {
      ...NOTHING,
      ctes: [
        { name: 'parts', query: parts },
        { name: 'whole', query: whole },
      ],
      select: [
        ...keysOf(own.groups, 'parts'),
        { expression: step.inPercent ? times100(value) : value, alias: 'share' },
      ],
      from: { table: 'parts' },
      joins: [{ kind: 'inner', table: { table: 'whole' }, on: [ALWAYS] }],
    };
  },
  workOut: async ({ own, step }, read) => {
    const parts = await read(own);
    const [whole] = await read({ ...own, groups: [] });
    const sum = parts.reduce((total, { figure }) => total + figure, 0);
    // Rows that belong to no group, or to several: of which whole is then unclear.
    if (whole === undefined || parts.length < 2 || Math.abs(sum - whole.figure) > 1e-6 * sum) return null;
    return parts.map(({ keys, figure }) => [...keys, ((step.inPercent ? 100 : 1) * figure) / whole.figure]);
  },
};

export const topPerGroup: StepWriter<'top-per-group'> = {
  compile: ({ block, own, step }) => {
    const figures = block(own);
    const [outer] = own.groups.map(columnName);
    if (figures === null || outer === undefined) return null;
    const place: Expression = {
      kind: 'window',
      function: 'row_number',
      partitionBy: [column('figures', outer)],
      orderBy: [{ expression: column('figures', FIGURE), direction: 'desc' }],
    };
    const shown = [...own.groups.map(columnName), FIGURE];
    return {
      ...NOTHING,
      ctes: [
        { name: 'figures', query: figures },
        {
          name: 'ranked',
          query: {
            ...NOTHING,
            select: [...columnsOf(shown, 'figures'), { expression: place, alias: 'place' }],
            from: { table: 'figures' },
          },
        },
      ],
      select: columnsOf(shown, 'ranked'),
      from: { table: 'ranked' },
      where: [
        {
          kind: 'compare',
          operator: '<=',
          left: column('ranked', 'place'),
          right: { kind: 'literal', value: step.limit },
        },
      ],
    };
  },
  workOut: async ({ own, step }, read) => {
    const rows = await read(own);
    const outer = [...new Set(rows.map(({ keys }) => keys[0] ?? null))];
    const kept = outer.map((value) =>
      best(
        rows.filter(({ keys }) => keys[0] === value),
        step.limit,
      ),
    );
    if (outer.length < 2 || kept.some((each) => each === null)) return null;
    if (kept.every((each) => (each?.length ?? 0) < step.limit)) return null;
    return kept.flatMap((each) => each ?? []).map(({ keys, figure }) => [...keys, figure]);
  },
};

export const aboveAverage: StepWriter<'above-average'> = {
  compile: ({ block, own }) => {
    const figures = block(own);
    if (figures === null) return null;
    const mean: SelectQuery = {
      ...NOTHING,
      select: [{ expression: average('figures') }],
      from: { table: 'figures' },
    };
    return {
      ...NOTHING,
      ctes: [{ name: 'figures', query: figures }],
      select: keysOf(own.groups, 'figures'),
      from: { table: 'figures' },
      where: [
        {
          kind: 'compare',
          operator: '>',
          left: column('figures', FIGURE),
          right: { kind: 'subquery', query: mean },
        },
      ],
    };
  },
  workOut: async ({ own }, read) => {
    const rows = await read(own);
    const mean = meanOf(rows);
    return rows.length < 3 ? null : rows.flatMap(({ keys, figure }) => (figure > mean ? [keys] : []));
  },
};

export const averageOfGroups: StepWriter<'average-of-groups'> = {
  compile: ({ block, own }) => {
    const figures = block(own);
    return figures === null ? null : summary(figures, average('figures'), 'average');
  },
  workOut: async ({ own }, read) => {
    const rows = await read(own);
    return rows.length < 2 ? null : [[meanOf(rows)]];
  },
};

export const countAbove: StepWriter<'count-above'> = {
  compile: ({ block, own, step }) => {
    const figures = block(own);
    if (figures === null) return null;
    const count: Expression = {
      kind: 'aggregate',
      function: 'count',
      distinct: false,
      argument: { kind: 'star' },
    };
    const right = { kind: 'literal', value: step.threshold } as const;
    return {
      ...summary(figures, count, 'groups'),
      where: [{ kind: 'compare', operator: '>', left: column('figures', FIGURE), right }],
    };
  },
  workOut: async ({ own, step }, read) => {
    const rows = await read(own);
    const count = rows.filter(({ figure }) => figure > step.threshold).length;
    return count === 0 || count === rows.length ? null : [[count]];
  },
};

export const largestRise: StepWriter<'largest-rise'> = {
  compile: (task) => {
    const figures = task.block(task.own);
    const [time] = task.own.groups.map(columnName);
    if (figures === null || time === undefined) return null;
    const before: Expression = {
      kind: 'window',
      function: 'lag',
      argument: column('figures', FIGURE),
      partitionBy: [],
      orderBy: [{ expression: column('figures', time), direction: 'asc' }],
    };
    const rise: Expression = {
      kind: 'arithmetic',
      operator: '-',
      left: column('figures', FIGURE),
      right: before,
    };
    const steps: SelectQuery = {
      ...NOTHING,
      select: [...columnsOf([time], 'figures'), { expression: rise, alias: 'rise' }],
      from: { table: 'figures' },
    };
    return {
      ...NOTHING,
      ctes: [
        { name: 'figures', query: figures },
        { name: 'steps', query: steps },
      ],
      select: columnsOf([time], 'steps'),
      from: { table: 'steps' },
      where: [{ kind: 'null', value: column('steps', 'rise'), negated: true }],
      orderBy: [{ expression: column('steps', 'rise'), direction: 'desc' }],
      limit: 1,
    };
  },
  workOut: async ({ own }, read) => {
    const rows = inTime(await read(own));
    const rises = rows
      .slice(1)
      .map(({ keys, figure }, at) => ({ keys, figure: figure - (rows[at]?.figure ?? 0) }));
    const [first, second] = [...rises].sort((a, b) => b.figure - a.figure);
    if (first === undefined || second === undefined || first.figure === second.figure) return null;
    return first.figure > 0 && rows.length > 3 ? [first.keys] : null;
  },
};

function inTime(rows: readonly FigureRow[]): FigureRow[] {
  return [...rows].sort((a, b) => (String(a.keys[0]) < String(b.keys[0]) ? -1 : 1));
}

/** The first few, largest first; null where a tie decides who is among them. */
export function best(rows: readonly FigureRow[], limit: number): readonly FigureRow[] | null {
  const sorted = [...rows].sort((a, b) => b.figure - a.figure);
  return hasTies(sorted.slice(0, limit + 1)) ? null : sorted.slice(0, limit);
}

function meanOf(rows: readonly FigureRow[]): number {
  return rows.reduce((sum, { figure }) => sum + figure, 0) / rows.length;
}

function average(table: string): Expression {
  return { kind: 'aggregate', function: 'avg', distinct: false, argument: column(table, FIGURE) };
}

function summary(figures: SelectQuery, expression: Expression, alias: string): SelectQuery {
  return {
    ...NOTHING,
    ctes: [{ name: 'figures', query: figures }],
    select: [{ expression, alias }],
    from: { table: 'figures' },
  };
}

function keysOf(groups: readonly string[], table: string): SelectQuery['select'] {
  return columnsOf(groups.map(columnName), table);
}

function columnsOf(names: readonly string[], table: string): SelectQuery['select'] {
  return names.map((name) => ({ expression: column(table, name), alias: name }));
}
