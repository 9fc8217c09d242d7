import { ImportContext } from '../conversion/import-context.ts';
import { type BlockData, blocks, readBlock, withoutUndefined } from '../conversion/vendor-block.ts';
import type { ForeignFile, Imported } from '../foreign/conversion.ts';
import { faultIn } from '../foreign/foreign-document.ts';
import { completeModel, type LeanModel } from '../foreign/lean-model.ts';
import { ForeignSyntaxError } from '../foreign/parsed-text.ts';
import { importExplores } from './import-lookml-explores.ts';
import { importMeasures } from './import-lookml-measures.ts';
import {
  callMembers,
  importView,
  type LookmlView,
  logicalView,
  namedBlocks,
  sourceOfView,
} from './import-lookml-view.ts';
import { faultAt, isBlock, LOOKML_VENDOR, type LookmlElement, lose, wordsOf } from './lookml-element.ts';
import { type LookmlBlock, type LookmlEntry, parseLookml } from './parse-lookml.ts';

/** Reads views, models and explores as one model; `include` finds nothing that was not given, and says so. */
export function importLookml(files: readonly ForeignFile[]): Imported {
  const desk = new ImportContext();
  const parsed = files.map((file) => ({ file, entries: parseFile(file) }));
  const elements = (kind: string): LookmlElement[] =>
    parsed.flatMap(({ file, entries }) =>
      entries.flatMap(({ key, value, offset }) => {
        if (key !== kind || typeof value === 'string' || !isBlock(value) || value.name === undefined)
          return [];
        return [{ kind, name: value.name, entries: value.entries, file, offset }];
      }),
    );
  for (const { file, entries } of parsed) reportOthers(file, entries, files, desk);
  const all = mergeElements(elements('view'), desk);
  const views = all.flatMap((view): LookmlView[] => {
    const source = sourceOfView(view);
    return source === undefined ? [] : [{ view, source, home: logicalView(view, source) }];
  });
  const derived = all.filter((view) => !views.some((item) => item.view === view));
  for (const view of derived)
    lose(
      desk,
      'kept',
      view,
      `view ${view.name} reads a query of its own; make it a view of the database to ask about it`,
    );
  callMembers(views, desk);
  const explores = importExplores(mergeElements(elements('explore'), desk), views, desk);
  const measures = importMeasures(views, desk);
  const tables = views.map(({ home }) => home);
  const read = views.map((view) => {
    const ours = explores.ours.get(view.view.name) ?? {};
    return importView(view, { desk, tables, ours, aside: measures.aside.get(view.view.name) ?? [] });
  });
  const times = new Map(read.map(({ timeColumn }, index) => [views[index]?.home.table, timeColumn]));
  const first = files.find(({ path }) => /\.model\.(?:lkml|lookml)$/.test(path)) ?? files[0];
  const lean: LeanModel = withoutUndefined({
    name: modelName(first?.path ?? ''),
    datasets: read.map(({ dataset }) => dataset),
    relationships: [...explores.relationships],
    metrics: measures.metrics.map((metric) => withTime(metric, times)),
    custom_extensions: blocks({
      [LOOKML_VENDOR]: { ...namedBlocks('view', derived), ...namedBlocks('explore', explores.aside) },
    }),
  });
  return {
    models: [completeModel(lean, first?.path ?? 'lookml')],
    examples: [],
    notes: [],
    losses: desk.losses,
    places: desk.places,
  };
}

function parseFile({ path, text }: ForeignFile): readonly LookmlEntry[] {
  try {
    return parseLookml(text);
  } catch (error) {
    if (error instanceof ForeignSyntaxError) throw faultIn(path, text, error.offset, error.message);
    throw error;
  }
}

/** `include` of a file that is not given, and what stands in a file besides views and explores. */
function reportOthers(
  file: ForeignFile,
  entries: readonly LookmlEntry[],
  files: readonly ForeignFile[],
  desk: ImportContext,
): void {
  for (const entry of entries) {
    const at: LookmlElement = {
      kind: entry.key,
      name: entry.key,
      entries: [entry],
      file,
      offset: entry.offset,
    };
    if (entry.key === 'include') {
      for (const pattern of wordsOf(at, 'include'))
        if (!files.some(({ path }) => matches(path, pattern)))
          lose(desk, 'dropped', at, `\`include: "${pattern}"\` names no file among those given`);
    } else if (!['view', 'explore'].includes(entry.key)) {
      lose(desk, 'dropped', at, `\`${entry.key}\` has no place here`);
    }
  }
}

/** Whether a pattern of `include` means a file: compared from the end, `*` for any part. */
function matches(path: string, pattern: string): boolean {
  const wanted =
    pattern
      .replace(/^\/+/, '')
      .replace(/\.(?:lkml|lookml)$/, '')
      .split('/')
      .at(-1) ?? '';
  const name =
    path
      .replace(/\.(?:lkml|lookml)$/, '')
      .split('/')
      .at(-1) ?? '';
  const parts = wanted.split('*');
  const [head = '', tail = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return name === wanted || name.split('.')[0] === wanted;
  return name.startsWith(head) && name.endsWith(tail) && name.length >= head.length + tail.length;
}

function modelName(path: string): string {
  return (path.split('/').at(-1) ?? '').split('.')[0] || 'lookml';
}

function withTime(
  metric: NonNullable<LeanModel['metrics']>[number],
  times: ReadonlyMap<string | undefined, string | undefined>,
): NonNullable<LeanModel['metrics']>[number] {
  const ours: BlockData = readBlock(metric.custom_extensions, 'CANDOR');
  const time = typeof ours.table === 'string' ? times.get(ours.table) : undefined;
  if (time === undefined) return metric;
  const own = readBlock(metric.custom_extensions, LOOKML_VENDOR);
  return withoutUndefined({
    ...metric,
    custom_extensions: blocks({ CANDOR: { ...ours, time_column: time }, [LOOKML_VENDOR]: own }),
  });
}

/**
 * Views or explores with refinements (`view: +orders`) and `extends` written out. A circle of `extends` throws; what
 * refines or extends something that is not there is reported.
 */
function mergeElements(elements: readonly LookmlElement[], desk: ImportContext): LookmlElement[] {
  const byName = new Map<string, LookmlElement>();
  for (const element of elements) {
    const isRefinement = element.name.startsWith('+');
    const name = isRefinement ? element.name.slice(1) : element.name;
    const before = byName.get(name);
    if (isRefinement && before === undefined) {
      lose(desk, 'dropped', element, `${element.kind} ${element.name} refines what is not among the files`);
    } else if (before !== undefined && !isRefinement) {
      throw faultAt(element, `${element.kind} ${name} stands in ${before.file.path} already`);
    } else {
      byName.set(
        name,
        before === undefined ? element : { ...before, entries: merge(before.entries, element.entries) },
      );
    }
  }
  return [...byName.values()].map((element) => extend(element, { byName, desk, trail: [] }));
}

interface Extending {
  readonly byName: ReadonlyMap<string, LookmlElement>;
  readonly desk: ImportContext;
  readonly trail: readonly string[];
}

function extend(element: LookmlElement, { byName, desk, trail }: Extending): LookmlElement {
  const parents = [...wordsOf(element, 'extends'), ...wordsOf(element, 'extends__all')];
  if (parents.length === 0) return element;
  const path = [...trail, element.name];
  let entries: readonly LookmlEntry[] = [];
  for (const name of parents) {
    if (path.includes(name))
      throw faultAt(
        element,
        `${element.kind}s extend each other in a circle: ${[...path, name].join(' → ')}`,
      );
    const parent = byName.get(name);
    if (parent === undefined)
      lose(desk, 'dropped', element, `${element.name} extends ${name}, which is not there`);
    else entries = merge(entries, extend(parent, { byName, desk, trail: path }).entries);
  }
  const own = element.entries.filter(({ key }) => !['extends', 'extends__all', 'extension'].includes(key));
  const kept = entries.filter(({ key }) => key !== 'extension');
  return { ...element, entries: merge(kept, own) };
}

/** Named blocks are merged with those of their name, all else is replaced. */
function merge(before: readonly LookmlEntry[], after: readonly LookmlEntry[]): LookmlEntry[] {
  const idOf = (entry: LookmlEntry): string => `${entry.key} ${namedBlock(entry)?.name ?? ''}`;
  const merged = new Map(before.map((entry) => [idOf(entry), entry]));
  for (const entry of after) {
    const old = merged.get(idOf(entry));
    const [inside, outside] = [old && namedBlock(old), namedBlock(entry)];
    const value =
      inside && outside ? { ...outside, entries: merge(inside.entries, outside.entries) } : entry.value;
    merged.set(idOf(entry), { ...entry, value });
  }
  return [...merged.values()];
}

function namedBlock({ value }: LookmlEntry): LookmlBlock | undefined {
  return typeof value !== 'string' && isBlock(value) && value.name !== undefined ? value : undefined;
}
