import type { ForeignFile, Imported } from '../conversion.ts';
import { faultIn } from '../foreign-document.ts';
import { ImportDesk } from '../import-desk.ts';
import { completeModel, type LeanModel } from '../lean-model.ts';
import { ForeignSyntaxError } from '../parsed-text.ts';
import { type BlockData, blocks, readBlock, withoutUndefined } from '../vendor-block.ts';
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
import { isBlock, LOOKML_VENDOR, type LookmlElement, lose, wordsOf } from './lookml-element.ts';
import { mergeElements } from './merge-views.ts';
import { type LookmlEntry, parseLookml } from './parse-lookml.ts';

/** Reads views, models and explores as one model; `include` finds nothing that was not given, and says so. */
export function importLookml(files: readonly ForeignFile[]): Imported {
  const desk = new ImportDesk();
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
  desk: ImportDesk,
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
