import { access, appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { redactUrl } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import { PROJECT_FILES, settingsText } from './project-files.ts';

/**
 * Writes a new project folder: `candor.yml`, commented starts of the semantic model and its neighbours, and a line
 * in `.gitignore`. Refuses when there is a project already; other files that exist are left as they are. A password or
 * token of the URL is left out: the file is for git, and the environment has a place for it.
 * Returns the paths written, relative to the folder.
 */
export async function writeProject(folder: string, databaseUrl: string): Promise<string[]> {
  const settings = join(folder, 'candor.yml');
  if (await exists(settings))
    throw new CandorError('config.exists', `There is a candor.yml in ${folder} already.`);
  const written: string[] = [];
  for (const { path, text } of PROJECT_FILES) {
    const file = join(folder, path);
    await mkdir(join(file, '..'), { recursive: true });
    if (await exists(file)) continue;
    await writeFile(file, text, { flag: 'wx' });
    written.push(path);
  }
  if (await ignoreDerived(join(folder, '.gitignore'))) written.push('.gitignore');
  // Last: a folder with a candor.yml is a complete project.
  await writeFile(settings, settingsText(portableUrl(withoutSecret(databaseUrl), folder)), { flag: 'wx' });
  return [...written, 'candor.yml'];
}

/** `${VARIABLE}` is how a secret should stand there, so it stays. */
function withoutSecret(url: string): string {
  return url.includes('${') ? url : redactUrl(url);
}

/** Writes the path of a database in or below the folder relative to it, so that the project can move. */
function portableUrl(url: string, folder: string): string {
  const [, scheme = '', path = ''] = /^(sqlite:|duckdb:)?(.*)$/s.exec(url) ?? [];
  if (!isAbsolute(path)) return url;
  const inside = relative(folder, path);
  return inside.startsWith('..') || isAbsolute(inside) ? url : scheme + inside;
}

async function ignoreDerived(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (/^\/?\.candor\/?\s*$/m.test(text)) return false;
  await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}.candor/\n`);
  return true;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
