import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Import {
  /** What the source says: `../sql/index.ts`, `zod`, `node:fs`. */
  readonly specifier: string;
  /** The file of ours it leads to, from the repository root; absent for packages and Node's modules. */
  readonly target?: string;
  readonly isTypeOnly: boolean;
}

export interface SourceFile {
  /** From the repository root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text without comments, for rules about code. */
  readonly code: string;
  readonly imports: readonly Import[];
}

/** Every TypeScript file below a folder of the repository, with what it imports. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const code = withoutComments(text);
      return { path, text, code, imports: readImports(path, code) };
    });
}

const STATEMENT = /^\s*(import|export)\s+(type\s+)?(?:[\w*{}\s,$]*?\sfrom\s+)?'([^']+)';/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)/g;

/** Reads static and dynamic imports; one whose every name is `type` counts as type-only. */
export function readImports(path: string, code: string): Import[] {
  const found = [...code.matchAll(STATEMENT)].map(([statement, , type, specifier = '']) => ({
    specifier,
    isTypeOnly: type !== undefined || namesAreTypes(statement),
  }));
  const dynamic = [...code.matchAll(DYNAMIC)].map(([, specifier = '']) => ({ specifier, isTypeOnly: false }));
  return [...found, ...dynamic].map((entry) =>
    entry.specifier.startsWith('.')
      ? { ...entry, target: posix.join(posix.dirname(path), entry.specifier) }
      : entry,
  );
}

function namesAreTypes(statement: string): boolean {
  const names = /\{([^}]*)\}/.exec(statement)?.[1];
  if (names === undefined || /(?:import|export)\s+\w+\s*,/.test(statement)) return false;
  return names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .every((name) => name.startsWith('type '));
}

/** Takes out comments and leaves strings, templates and regular expressions alone. */
export function withoutComments(text: string): string {
  const piece =
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[=(,:?&|!;{}\s])\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text.replace(piece, (_, kept: string | undefined) => kept ?? '');
}
