import { CandorError } from '../../errors.ts';
import { readTextFiles } from '../files/authored-files.ts';
import { openYaml } from '../files/yaml-source.ts';
import { type FileModel, SEMANTIC_FILE } from '../semantic/semantic-file.ts';
import { applyCompanion, isCompanion, makeCompanion } from './conversion/companion.ts';
import type {
  Exported,
  ExportSource,
  ForeignFile,
  Imported,
  InterchangeFormat,
  Loss,
} from './foreign/conversion.ts';

/**
 * Reads files of a format into the project's words. A companion that an export wrote beside them (`*.candor.yml`)
 * puts back what the format had no place for. Throws `interchange.invalid` with file, line and column.
 */
export function importKnowledge(format: InterchangeFormat, files: readonly ForeignFile[]): Imported {
  const own = files.filter(({ path }) => !isCompanion(path));
  if (own.length === 0)
    throw new CandorError('interchange.invalid', `There is no file of ${format.title} among those named.`);
  const imported = format.import(own.toSorted(byPath));
  const whole = files.filter(({ path }) => isCompanion(path)).reduce(applyCompanion, imported);
  return { ...whole, losses: [...whole.losses, ...circlesIn(whole)] };
}

/** Files say the same in whatever order a folder lists them. */
function byPath(a: ForeignFile, b: ForeignFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** A circle of joins is read in more than one way, and only people know which is meant. */
function circlesIn({ models, places }: Imported): Loss[] {
  return models.flatMap((model) =>
    findJoinCircles(model).map((names): Loss => {
      const place = places?.get(`relationship ${names[0]}`) ?? model.name;
      const what = `joins form a circle: ${names.join(' → ')}; say with \`via\` on dimensions which way is meant`;
      return { kind: 'kept', place, what };
    }),
  );
}

/**
 * Writes the project's words in a format. What was written is read back and compared: each difference is a loss, and
 * goes into a companion file from which an import puts it back.
 */
export function exportKnowledge(format: InterchangeFormat, source: ExportSource): Exported {
  if (format.export === undefined)
    throw new CandorError('interchange.unknown-format', `${format.title} can be imported, not exported.`);
  const exported = format.export(source);
  const readBack: Imported =
    exported.files.length === 0
      ? { models: [], examples: [], notes: [], losses: [] }
      : format.import(exported.files.toSorted(byPath));
  const companion = makeCompanion(format, source, readBack);
  return {
    files: [...exported.files, ...companion.files],
    losses: [...exported.losses, ...companion.losses],
  };
}

/** Relationships that lead from a dataset over others back to it, each circle once: `['a_b', 'b_a']`. */
function findJoinCircles({
  relationships,
}: Pick<FileModel, 'relationships'>): readonly (readonly string[])[] {
  const next = new Map<string, { readonly to: string; readonly name: string }[]>();
  // A table that joins itself (an employee's manager) is no riddle: there is one way to read it.
  for (const { name, from, to } of relationships)
    if (from !== to) next.set(from, [...(next.get(from) ?? []), { to, name }]);
  const done = new Set<string>();
  const circles: string[][] = [];
  for (const start of next.keys()) {
    const open = [{ at: start, left: [...(next.get(start) ?? [])], by: '' }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const step = done.has(top.at) ? undefined : top.left.pop();
      if (step === undefined) {
        done.add(top.at);
        open.pop();
        continue;
      }
      const back = open.findIndex(({ at }) => at === step.to);
      if (back >= 0) circles.push([...open.slice(back + 1).map(({ by }) => by), step.name]);
      else open.push({ at: step.to, left: [...(next.get(step.to) ?? [])], by: step.name });
    }
  }
  return circles;
}

/**
 * The models of a folder of semantic files as they are written, every vendor's block included: what exports start
 * from. A fault throws `semantics.invalid` with its place.
 */
export async function readModelFiles(directory: string): Promise<FileModel[]> {
  const files = await readTextFiles(directory, /\.ya?ml$/, 'semantics.invalid');
  return files.flatMap(({ text, shown }) => {
    const source = openYaml(text, shown);
    // A file of comments only is a model still to be written.
    if (source.value === null || source.value === undefined) return [];
    return source.check(SEMANTIC_FILE, source.value, []).semantic_model;
  });
}
