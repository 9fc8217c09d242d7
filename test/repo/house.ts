import { posix } from 'node:path';
import type { SourceFile } from './read-imports.ts';

/** What the house may have at most. `scripts/measure-house.ts` prints how far off it is. */
export const BARS = { files: 1650, small: 60, entries: 15, names: 30, mutual: 30 };

/** Lines below which a file that one other imports is no room of its own. */
const SMALL = 40;

export interface House {
  /** Source files, tests left out. */
  readonly files: number;
  /** Files of few lines that one other file imports: each is half of a thing. */
  readonly small: readonly string[];
  /** Folders of more files and folders than a reader takes in, as `12 src/sql`. */
  readonly entries: readonly string[];
  /** Faces (`index.ts`) of more names than a reader takes in. */
  readonly names: readonly string[];
  /** Pairs of folders that import each other, at every depth. */
  readonly mutual: readonly string[];
}

/** Measures source files against the bars, each list with the largest first. */
export function measureHouse(sources: readonly SourceFile[]): House {
  return {
    files: sources.length,
    small: smallOfOneImporter(sources),
    entries: counted(entriesOf(sources), BARS.entries),
    names: counted(namesOf(sources), BARS.names),
    mutual: mutualFolders(sources),
  };
}

/** A face hands its files on: who imports only through it is not counted as one importer. */
function smallOfOneImporter(sources: readonly SourceFile[]): string[] {
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of sources)
    for (const { target } of imports)
      if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(path));
  return sources
    .filter(({ path, text }) => {
      const [first, ...rest] = importers.get(path) ?? [];
      const isOne = first !== undefined && rest.length === 0 && posix.basename(first) !== 'index.ts';
      return isOne && text.split('\n').length <= SMALL;
    })
    .map(({ path }) => path);
}

/** Tests stand beside their file and are no entries of their own. */
function entriesOf(sources: readonly SourceFile[]): Map<string, number> {
  const entries = new Map<string, Set<string>>();
  for (const { path } of sources)
    for (let entry = path; entry.includes('/'); entry = posix.dirname(entry)) {
      const folder = posix.dirname(entry);
      entries.set(folder, (entries.get(folder) ?? new Set()).add(entry));
    }
  return new Map([...entries].map(([folder, inside]) => [folder, inside.size]));
}

function namesOf(sources: readonly SourceFile[]): Map<string, number> {
  const faces = sources.filter(({ path }) => path.endsWith('/index.ts'));
  return new Map(faces.map(({ path, code }) => [path, exportedNames(code).length]));
}

function exportedNames(code: string): string[] {
  const lists = [...code.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)].map(([, names = '']) => names);
  const declared = [
    ...code.matchAll(/^export\s+(?:async\s+)?(?:const|function|class|interface|type)\s+(\w+)/gm),
  ];
  const listed = lists.flatMap((names) => names.split(',').map((name) => name.trim()));
  return [...listed.filter(Boolean), ...declared.map(([, name = '']) => name)];
}

function mutualFolders(sources: readonly SourceFile[]): string[] {
  const arrows = new Set<string>();
  for (const { path, imports } of sources)
    for (const { target } of imports)
      if (target?.startsWith('src/')) arrows.add(`${posix.dirname(path)} ${posix.dirname(target)}`);
  return [...arrows]
    .map((arrow) => arrow.split(' '))
    .filter(([from = '', to = '']) => from < to && arrows.has(`${to} ${from}`))
    .map((pair) => pair.join(' ↔ '))
    .sort();
}

const counted = (counts: ReadonlyMap<string, number>, bar: number): string[] =>
  [...counts]
    .filter(([, count]) => count > bar)
    .sort(([, one], [, other]) => other - one)
    .map(([place, count]) => `${count} ${place}`);
