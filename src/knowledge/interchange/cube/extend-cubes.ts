import { below, type ImportDesk, type Spot } from '../import-desk.ts';
import type { CubeCube } from './cube-shape.ts';

/** A cube and where it stands. */
export interface PlacedCube {
  readonly cube: CubeCube;
  readonly spot: Spot;
}

const LISTS = ['joins', 'dimensions', 'measures', 'segments'] as const;

/**
 * Writes out `extends`: the members of the parent, then the child's own, which replace those of the same name. A cube
 * that extends itself, over whatever others, throws; a parent that is not there is reported.
 */
export function extendCubes(cubes: readonly PlacedCube[], desk: ImportDesk): PlacedCube[] {
  const byName = new Map(cubes.map((placed) => [placed.cube.name, placed]));
  const extend = (placed: PlacedCube, trail: readonly string[]): CubeCube => {
    const { cube, spot } = placed;
    const parentName = cube.extends?.replace(/^\{\s*(.*?)\s*\}$/, '$1');
    if (parentName === undefined) return cube;
    const at = below(spot, 'extends');
    if (trail.includes(parentName) || parentName === cube.name) {
      const circle = [...trail, cube.name, parentName].join(' → ');
      throw spot.document.fault(at.path, `cubes extend each other in a circle: ${circle}`);
    }
    const parent = byName.get(parentName);
    if (parent === undefined) {
      desk.lose('dropped', at, `${cube.name} extends ${parentName}, which is not among the files`);
      return cube;
    }
    return merge(extend(parent, [...trail, cube.name]), cube);
  };
  return cubes.map((placed) => {
    const { cube, spot } = placed;
    const extended = extend(placed, []);
    if (extended === cube) return placed;
    const what = `${cube.name} extends ${cube.extends}: the members of the parent are written out`;
    desk.lose('approximated', below(spot, 'extends'), what);
    const { extends: _, ...flat } = extended;
    return { cube: flat, spot };
  });
}

function merge(parent: CubeCube, child: CubeCube): CubeCube {
  const lists = LISTS.map((list) => {
    const own: readonly { readonly name: string }[] = child[list] ?? [];
    const inherited = (parent[list] ?? []).filter(({ name }) => !own.some((item) => item.name === name));
    return [list, [...inherited, ...own]] as const;
  });
  const filled = Object.fromEntries(lists.filter(([, items]) => items.length > 0));
  // A child with a source of its own does not read its parent's.
  const { sql, sql_table, ...rest } = parent;
  const source = child.sql != null || child.sql_table != null ? {} : { sql, sql_table };
  return { ...rest, ...source, ...child, ...filled };
}
