import {
  below,
  type Called,
  ImportContext,
  keepKeys,
  placeOf,
  type Spot,
} from '../conversion/import-context.ts';
import { distinctDimensions, distinctMetrics } from '../conversion/names.ts';
import type { Mapping } from '../conversion/value-mapping.ts';
import {
  AsideBox,
  type BlockData,
  blocks,
  keepWritten,
  readBlock,
  withoutUndefined,
} from '../conversion/vendor-block.ts';
import type { ForeignFile, Imported } from '../foreign/conversion.ts';
import { openForeign } from '../foreign/foreign-document.ts';
import { completeModel, contextOf, type LeanDataset, type LeanModel } from '../foreign/lean-model.ts';
import { resolveExpression } from '../foreign/resolve-expression.ts';
import { localSql } from '../foreign/sql-expression.ts';
import { readPolicy } from './cube-policy.ts';
import { CUBE_FILE, CUBE_SHAPE, CUBE_VENDOR, type CubeCube } from './cube-shape.ts';
import { type CubeSource, readCubeSource, writeCubeSource } from './cube-source.ts';
import { logicalCube } from './cube-template.ts';
import { importJoins } from './import-cube-joins.ts';
import { importMeasures, membersOf } from './import-cube-measures.ts';
import { type CubePlace, importDimensions, importSegments, readWords } from './import-cube-members.ts';

/** Cube has no name for a whole data model. */
const CUBE_MODEL_NAME = 'cube';

interface ReadCube {
  readonly dataset: LeanDataset;
  readonly mappings: readonly Mapping[];
  readonly timeColumn: string | undefined;
  readonly place: CubePlace;
}

/** Reads all cubes and views of the files as one model. */
export function importCube(files: readonly ForeignFile[]): Imported {
  const desk = new ImportContext();
  const cubes: (PlacedCube & { readonly index: number })[] = [];
  const views: { readonly file: string; readonly view: unknown }[] = [];
  for (const file of files) {
    const document = openForeign(file);
    if (document.value === null || document.value === undefined) continue;
    const { cubes: own, views: shown } = document.check(CUBE_FILE, document.value, []);
    document.unknownKeys(document.check(CUBE_FILE, document.value, []), Object.keys(CUBE_FILE.shape), []);
    for (const [index, cube] of (own ?? []).entries())
      cubes.push({ cube, spot: { document, path: ['cubes', index] }, index });
    for (const [index, view] of (shown ?? []).entries()) {
      const what = `view ${view.name} has no effect here: questions are asked of the cubes`;
      desk.lose('kept', { document, path: ['views', index] }, what);
      views.push({ file: document.path, view });
    }
  }
  refuseTwice(cubes);
  return importModel(extendCubes(cubes, desk), views, desk);
}

function refuseTwice(cubes: readonly PlacedCube[]): void {
  const seen = new Map<string, Spot>();
  for (const { cube, spot } of cubes) {
    const before = seen.get(cube.name);
    if (before !== undefined)
      throw spot.document.fault(
        [...spot.path, 'name'],
        `cube ${cube.name} stands at ${placeOf(before)} already`,
      );
    seen.set(cube.name, spot);
  }
}

function importModel(cubes: readonly PlacedCube[], views: readonly unknown[], desk: ImportContext): Imported {
  const aside = new AsideBox();
  const sources = new Map<PlacedCube, CubeSource>();
  for (const [index, placed] of cubes.entries()) {
    const source = readCubeSource(placed.cube);
    if (source !== undefined) sources.set(placed, source);
    else {
      aside.add('cubes', index, { file: placed.spot.document.path, cube: placed.cube });
      const at = below(placed.spot, placed.cube.sql == null ? 'sql_table' : 'sql');
      desk.lose(
        'kept',
        at,
        `cube ${placed.cube.name} reads a query of its own; make it a view to ask about it`,
      );
    }
  }
  const tables = [...sources].map(([{ cube }, { source }]) =>
    logicalCube(cube.name, (source.split('.').at(-1) ?? source).toLowerCase(), membersOf({ cube })),
  );
  const places = [...sources.keys()].map(
    (placed, index): CubePlace => ({
      ...placed,
      desk,
      tables,
      home: tables[index]!,
      name: readWords(placed.cube).words.name,
    }),
  );
  callMembers(places, desk);
  const read = places.map((place, index) => importOne(place, [...sources.values()][index]!));
  const times = new Map(
    read.flatMap(({ place, timeColumn }): [string, string][] =>
      timeColumn === undefined ? [] : [[place.home.table, timeColumn]],
    ),
  );
  const measures = importMeasures(places, times);
  const joins = places.map((place) => importJoins(place, places));
  const mappings = read.flatMap((item) => item.mappings);
  const lean: LeanModel = withoutUndefined({
    name: CUBE_MODEL_NAME,
    datasets: read.map(({ dataset, place }, index) =>
      withAside(dataset, joins[index]?.aside, measures.aside.get(place.cube.name)),
    ),
    relationships: joins.flatMap(({ relationships }) => relationships),
    metrics: [...measures.metrics],
    custom_extensions: blocks({
      CANDOR: { value_mappings: mappings.length === 0 ? undefined : mappings },
      [CUBE_VENDOR]: { ...aside.block(), views: views.length === 0 ? undefined : views },
    }),
  });
  return {
    models: [completeModel(lean, cubes[0] === undefined ? CUBE_MODEL_NAME : placeOf(cubes[0].spot))],
    examples: [],
    notes: [],
    losses: desk.losses,
    places: desk.places,
  };
}

/** Members are named within their cube there, within the model here. */
function callMembers(places: readonly CubePlace[], desk: ImportContext): void {
  const listOf = (list: 'dimensions' | 'measures'): Called[] =>
    places.flatMap(({ cube, spot, name }) =>
      (cube[list] ?? []).flatMap((element, index) => {
        if (list === 'dimensions' && element.public === false) return [];
        const kind = list === 'measures' ? 'metric' : 'dimension';
        return [
          { element, kind, owner: name, spot: below(spot, list, index), words: readWords(element).words },
        ];
      }),
    );
  const [dimensions, measures] = [listOf('dimensions'), listOf('measures')];
  desk.call(dimensions, distinctDimensions(dimensions));
  desk.call(measures, distinctMetrics(measures));
}

function importOne(place: CubePlace, { source, filter }: CubeSource): ReadCube {
  const { cube, spot, desk, home } = place;
  desk.mark(`dataset ${place.name}`, spot);
  const { words, block } = readWords(cube);
  const condition = filter === undefined ? undefined : resolveExpression(filter, [home], home)?.sql;
  const dimensions = importDimensions(place);
  const segments = importSegments(place);
  const times = dimensions.fields.filter(({ dimension }) => dimension?.is_time === true);
  const [time] = times.length === 1 ? times : [];
  const timeColumn = time && `${home.table}.${time.expression.dialects[0]?.expression.toLowerCase()}`;
  if (timeColumn !== undefined)
    desk.lose(
      'approximated',
      spot,
      `${timeColumn} is the only time dimension of ${cube.name}, so "when" means it`,
    );
  const policy = importPolicy(place);
  const shown = [
    'name',
    'title',
    'description',
    'meta',
    'sql',
    'sql_table',
    'joins',
    'dimensions',
    'measures',
  ];
  const kept = Object.keys(CUBE_SHAPE.shape).filter(
    (key) => ![...shown, 'segments', 'access_policy', 'extends'].includes(key) && cube[key] != null,
  );
  const own: BlockData = {
    ...block,
    ...keepKeys(cube, spot, { desk, known: Object.keys(CUBE_SHAPE.shape), kept }),
    ...dimensions.keyTypes,
    ...segments.block,
    ...policy.block,
    ...(spot.document.path === defaultFile(cube.name) ? {} : { file: spot.document.path }),
    ...noteSource(place, source, condition && filter ? { condition, filter } : undefined),
  };
  const dataset = withoutUndefined({
    name: place.name,
    source,
    primary_key: [...dimensions.primaryKey],
    description: cube.description ?? undefined,
    ai_context: contextOf(words.synonyms, words.instructions),
    fields: [...dimensions.fields],
    custom_extensions: blocks({
      CANDOR: {
        default_filter: condition === undefined ? undefined : { sql: condition, text: `where ${filter}` },
        time_column: timeColumn,
        row_filter: policy.rowFilter,
      },
      [CUBE_VENDOR]: own,
    }),
  });
  return { dataset, mappings: segments.mappings, timeColumn, place };
}

/** A policy that is a row filter takes effect; any other is kept and said loudly. */
function importPolicy({ cube, home, spot, desk }: CubePlace): {
  readonly rowFilter?: string;
  readonly block: BlockData;
} {
  const policy = cube.access_policy ?? undefined;
  if (policy === undefined) return { block: {} };
  const rowFilter = readPolicy(policy, home);
  if (rowFilter !== undefined)
    return { rowFilter, block: keepWritten(JSON.stringify(policy), rowFilter, '') };
  const what = 'the access policy has no effect here: everybody sees all rows; write a `row_filter` by hand';
  desk.lose('kept', below(spot, 'access_policy'), what);
  return { block: { access_policy: policy } };
}

/** How the source was written, where an export would write it in another way. */
function noteSource(
  { cube }: CubePlace,
  source: string,
  condition?: { readonly condition: string; readonly filter: string },
): BlockData {
  const { sql, sql_table } = cube;
  const canonical = writeCubeSource(source, condition && localSql(condition.condition));
  if ((canonical.sql ?? null) === (sql ?? null) && (canonical.sql_table ?? null) === (sql_table ?? null))
    return {};
  const text = JSON.stringify(withoutUndefined({ sql: sql ?? undefined, sql_table: sql_table ?? undefined }));
  return { source_written: { text, for: JSON.stringify([source, condition?.condition ?? null]) } };
}

/** Where an export puts a cube that came from nowhere. */
export function defaultFile(cube: string): string {
  return `cubes/${cube}.yml`;
}

/** What joins and measures of a cube are nothing of ours goes into the block of its dataset. */
function withAside(dataset: LeanDataset, ...parts: readonly (BlockData | undefined)[]): LeanDataset {
  const own = readBlock(dataset.custom_extensions, CUBE_VENDOR);
  const lists = [own, ...parts].flatMap((part) => (part?.aside === undefined ? [] : [part.aside]));
  if (lists.length === 0) return dataset;
  return withoutUndefined({
    ...dataset,
    custom_extensions: blocks({
      CANDOR: readBlock(dataset.custom_extensions, 'CANDOR'),
      [CUBE_VENDOR]: { ...own, aside: Object.assign({}, ...lists) },
    }),
  });
}

/** A cube and where it stands. */
interface PlacedCube {
  readonly cube: CubeCube;
  readonly spot: Spot;
}

const LISTS = ['joins', 'dimensions', 'measures', 'segments'] as const;

/**
 * Writes out `extends`: the members of the parent, then the child's own, which replace those of the same name. A cube
 * that extends itself, over whatever others, throws; a parent that is not there is reported.
 */
function extendCubes(cubes: readonly PlacedCube[], desk: ImportContext): PlacedCube[] {
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
