/** What the SELECTs of a gold query join and demand, as sets: where inner joins are, the order says nothing. */
import { child, childrenIn, operandsOf, relations, type SqlNode, type SqlTree } from '../../sql/index.ts';

export interface GoldSelect {
  /** Tables and the like that inner joins bring in, the first one among them. */
  readonly relations: readonly SqlNode[];
  /** What ON, USING and WHERE demand, one by one. */
  readonly conditions: readonly SqlNode[];
  /** Columns that these conditions make equal, by their text, as sets of the same number. */
  readonly equalColumns: ReadonlyMap<string, number>;
}

/** SELECTs with another than inner joins are left out: there conditions may not be moved. */
export function goldSelects({ nodes }: SqlTree): readonly GoldSelect[] {
  return nodes.flatMap((select) => {
    if (select.type !== 'Select') return [];
    const all = relations(select);
    if (all.length === 0 || all.some(({ join }) => join !== 'inner')) return [];
    const where = childrenIn(select, 'where').flatMap((clause) => child(clause, 'this') ?? []);
    const demanded = [...all.flatMap(({ on }) => on), ...where].flatMap((node) => operandsOf(node, 'And'));
    return [
      {
        relations: all.map(({ node }) => node),
        conditions: [...demanded, ...all.flatMap(({ using }) => using)],
        equalColumns: equalColumns(demanded),
      },
    ];
  });
}

/** `a = b AND b = c` makes one set of three. */
function equalColumns(conditions: readonly SqlNode[]): ReadonlyMap<string, number> {
  const sets = new Map<string, number>();
  for (const condition of conditions) {
    const sides = columnPair(condition);
    if (sides === undefined) continue;
    const [one, other] = sides.map(columnText);
    if (one === undefined || other === undefined) continue;
    const number = sets.get(one) ?? sets.size;
    const merged = sets.get(other);
    sets.set(one, number).set(other, number);
    for (const [column, own] of sets) if (own === merged) sets.set(column, number);
  }
  return sets;
}

/** The two sides of `a.x = b.x`. */
export function columnPair({ type, children }: SqlNode): readonly SqlNode[] | undefined {
  const isPair = type === 'EQ' && children.length === 2 && children.every((side) => side.type === 'Column');
  return isPair ? children : undefined;
}

/** Within one SELECT the same text is the same column. */
export function columnText({ children }: SqlNode): string {
  return children.map(({ value }) => value?.toLowerCase()).join('.');
}
