import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { CandorError } from '../../errors.ts';
import { questionFilesIn } from '../suites/answerable/read-labelled.ts';
import type { TestCase } from './test-result.ts';

/**
 * The question files that files, folders and globs (`*`, `?`, `**`) name, each once and in order; without any, those of
 * `tests/` in the project. Throws `test.no-files` for what names nothing.
 */
export async function findTestFiles(
  named: readonly string[],
  { cwd, root }: { readonly cwd: string; readonly root: string },
): Promise<readonly string[]> {
  if (named.length > 0) {
    const found = await Promise.all(named.map((name) => filesOf(name, cwd)));
    return [...new Set(found.flat())];
  }
  const folder = join(root, 'tests');
  const files = await questionFilesIn(folder);
  if (files.length > 0) return files;
  throw new CandorError('test.no-files', `There are no question files (*.yml) in ${relative(cwd, folder)}.`);
}

async function filesOf(name: string, cwd: string): Promise<readonly string[]> {
  const path = resolve(cwd, name);
  const there = await stat(path).catch(() => undefined);
  if (there?.isFile()) return [path];
  const files = there?.isDirectory() ? await questionFilesIn(path) : await matching(name, cwd);
  if (files.length > 0) return files;
  throw new CandorError('test.no-files', `There is no question file ${name}.`);
}

async function matching(glob: string, cwd: string): Promise<readonly string[]> {
  if (!/[*?]/.test(glob)) return [];
  const parts = glob.split(/[\\/]/);
  const fixed = parts.findIndex((part) => /[*?]/.test(part));
  const start = resolve(cwd, parts.slice(0, fixed).join('/') || (glob.startsWith('/') ? '/' : '.'));
  const pattern = toPattern(parts.slice(fixed));
  const entries = await readdir(start, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => pattern.test(relative(start, path).split(sep).join('/')))
    .sort();
}

/** `**` is any number of folders, `*` and `?` stay within one name. */
function toPattern(parts: readonly string[]): RegExp {
  const body = parts.map((part, at) => {
    const isLast = at === parts.length - 1;
    if (part === '**') return isLast ? '.*' : '(?:[^/]+/)*';
    const name = part
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]');
    return isLast ? name : `${name}/`;
  });
  return new RegExp(`^${body.join('')}$`);
}

export interface TestSelection {
  /** Cases that bear one of these. */
  readonly tags: readonly string[];
  /** Text in the id or in what is asked, whatever its case. */
  readonly filter?: string;
}

/** The cases that are wanted; throws `test.nothing-selected` where there are none: a run of nothing would pass. */
export function selectTests(
  cases: readonly TestCase[],
  { tags, filter }: TestSelection,
): readonly TestCase[] {
  const wanted = filter?.toLowerCase();
  const kept = cases.filter(
    (tested) =>
      (tags.length === 0 || tags.some((tag) => tested.tags.includes(tag))) &&
      (wanted === undefined || textsOf(tested).some((text) => text.toLowerCase().includes(wanted))),
  );
  if (kept.length > 0) return kept;
  const known = [...new Set(cases.flatMap((tested) => tested.tags))].sort();
  const there = known.length === 0 ? 'no case has a tag' : `tags there are: ${known.join(', ')}`;
  throw new CandorError('test.nothing-selected', `None of the ${cases.length} cases is selected; ${there}.`);
}

function textsOf({ id, turns }: TestCase): readonly string[] {
  return [id, ...turns.map(({ says }) => says.text)];
}
