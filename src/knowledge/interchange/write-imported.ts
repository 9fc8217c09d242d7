import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import type { Catalog } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { onOneLine } from '../../lib/index.ts';
import { readTextFiles } from '../files/authored-files.ts';
import { checkSemanticModel } from '../semantic/check-semantic-model.ts';
import { checkSemanticSql } from '../semantic/check-semantic-sql.ts';
import { readSemanticModel } from '../semantic/read-semantic-model.ts';
import { fileNameOf } from './conversion/names.ts';
import type { Imported } from './foreign/conversion.ts';
import { leanModel } from './foreign/lean-model.ts';
import { writeYaml } from './foreign/write-yaml.ts';

/** Where a project keeps its files. */
export interface ProjectFolders {
  readonly semanticsDirectory: string;
  readonly examplesDirectory: string;
  readonly knowledgeDirectory: string;
  /** For the journal of a write: the same whatever database the project is used with. */
  readonly stateDirectory: string;
}

export interface WriteOptions {
  /** `add` refuses to write over files that say something else; `replace` writes over those of the same names. */
  readonly mode: 'add' | 'replace';
  /** Says what would be written, and writes nothing. */
  readonly dryRun?: boolean;
  /** Base of the names of files; else the name of the first model. */
  readonly name?: string;
  /** Where it comes from, for the head of the file. */
  readonly origin: string;
  /** What names are compared with; without it only names of the model itself are. */
  readonly catalog?: Catalog;
  /** Writes although names do not fit; they are returned. */
  readonly unchecked?: boolean;
  readonly signal?: AbortSignal;
  readonly onStep?: OnStep;
}

export interface WrittenFile {
  /** `semantics/shop.yml`. */
  readonly path: string;
  readonly action: 'added' | 'replaced' | 'unchanged';
  readonly text: string;
}

export interface WrittenImport {
  readonly files: readonly WrittenFile[];
  /** Names that do not fit the catalog or the rest of the model, with where they come from. */
  readonly problems: readonly string[];
}

/** More than this many problems are counted, not listed. */
const LISTED_PROBLEMS = 20;

/**
 * Writes an import into the project, all files or none; what an interrupted run left is ended first. The project is
 * read with the new files before any is written: a model that cannot be read, or names what is not there, throws
 * `interchange.invalid`; a file in the way `interchange.would-overwrite`.
 */
export async function writeImported(
  folders: ProjectFolders,
  imported: Imported,
  options: WriteOptions,
): Promise<WrittenImport> {
  const { mode, dryRun = false, unchecked = false, signal } = options;
  const directories = directoriesOf(folders);
  if (!dryRun) await finishPlacing(folders.stateDirectory, Object.values(directories));
  const name = fileNameOf(options.name ?? imported.models[0]?.name ?? 'imported');
  const files = importFiles(imported, name, options.origin);
  if (files.length === 0)
    throw new CandorError('interchange.invalid', `${options.origin} holds nothing to import.`);
  const written = await Promise.all(files.map((file) => compare(file, directories[file.folder])));
  const inTheWay = written.filter(({ action }) => action === 'replaced');
  if (mode === 'add' && inTheWay.length > 0) throw wouldOverwrite(inTheWay);
  const problems = await checkTogether(folders, files, imported, options.catalog);
  if (problems.length > 0 && !unchecked) throw notFitting(problems);
  signal?.throwIfAborted();
  if (!dryRun) {
    const changed = files.filter((_, index) => written[index]?.action !== 'unchanged');
    const placed = changed.map((file) => ({
      path: join(directories[file.folder], file.name),
      text: file.text,
    }));
    await placeFiles(placed, folders.stateDirectory, options.onStep);
  }
  return { files: written, problems };
}

function directoriesOf(folders: ProjectFolders): Readonly<Record<ProjectFile['folder'], string>> {
  return {
    semantics: folders.semanticsDirectory,
    examples: folders.examplesDirectory,
    knowledge: folders.knowledgeDirectory,
  };
}

async function compare({ folder, name, text }: ProjectFile, directory: string): Promise<WrittenFile> {
  const path = `${folder}/${name}`;
  try {
    const before = await readFile(join(directory, name), 'utf8');
    return { path, text, action: before === text ? 'unchanged' : 'replaced' };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { path, text, action: 'added' };
    throw error;
  }
}

/** Reads the semantic files of the project with the new ones among them, in a folder of their own. */
async function checkTogether(
  { semanticsDirectory, stateDirectory }: ProjectFolders,
  files: readonly ProjectFile[],
  imported: Imported,
  catalog: Catalog | undefined,
): Promise<string[]> {
  const added = files.filter(({ folder }) => folder === 'semantics');
  const standing = await readTextFiles(semanticsDirectory, /\.ya?ml$/, 'semantics.invalid');
  await mkdir(stateDirectory, { recursive: true });
  const trial = await mkdtemp(join(stateDirectory, 'import-'));
  try {
    const semantics = join(trial, 'semantics');
    await mkdir(semantics);
    const kept = standing.filter(({ name }) => !added.some((file) => file.name === name));
    for (const { name, text } of kept) await writeFile(join(semantics, name), text);
    const before = new Set(problemsOf(await readSemanticModel(semantics), catalog));
    for (const { name, text } of added) await writeFile(join(semantics, name), text);
    const after = problemsOf(await readWith(semantics, added), catalog);
    return after.filter((problem) => !before.has(problem)).map((problem) => placed(problem, imported));
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

/** A fault in a file that is about to be written is one of the import. */
async function readWith(
  directory: string,
  added: readonly ProjectFile[],
): ReturnType<typeof readSemanticModel> {
  try {
    return await readSemanticModel(directory);
  } catch (error) {
    const isOurs = error instanceof CandorError && added.some(({ name }) => error.message.includes(name));
    if (error instanceof CandorError && isOurs)
      throw new CandorError('interchange.invalid', `The model would not be readable: ${error.message}`, {
        cause: error,
      });
    throw error;
  }
}

function problemsOf(
  model: Awaited<ReturnType<typeof readSemanticModel>>,
  catalog: Catalog | undefined,
): string[] {
  if (catalog !== undefined)
    return [...checkSemanticModel(model, catalog), ...checkSemanticSql(model, catalog.dialect)];
  // Without a catalog every table is unknown, which says nothing; names within the model can still be wrong.
  return checkSemanticModel(model, NO_CATALOG).filter(
    (problem) => !/: unknown (?:table|column) | means no table, or more than one\.$/.test(problem),
  );
}

const NO_CATALOG: Catalog = { database: '', dialect: 'sqlite', tables: [], foreignKeys: [], fingerprint: '' };

/** The problem with where its element stands in the source. */
function placed(problem: string, { places }: Imported): string {
  const element = /^(?:dataset|metric|dimension|relationship) [^:]+(?=:)/.exec(problem)?.[0];
  const twice = /^(dataset|dimension|relationship) (.*) stands twice\.$/.exec(problem);
  const key = element ?? (twice === null ? '' : `${twice[1]} ${twice[2]}`);
  const place = places?.get(key);
  return place === undefined ? problem : `${place}: ${problem}`;
}

function wouldOverwrite(files: readonly WrittenFile[]): CandorError {
  const paths = files.map(({ path }) => path);
  const shown = paths.slice(0, LISTED_PROBLEMS).join(', ');
  const rest = paths.length > LISTED_PROBLEMS ? ` and ${paths.length - LISTED_PROBLEMS} more` : '';
  return new CandorError('interchange.would-overwrite', `There are other files already: ${shown}${rest}.`, {
    data: { files: paths },
  });
}

function notFitting(problems: readonly string[]): CandorError {
  const shown = problems.slice(0, LISTED_PROBLEMS).join('\n  ');
  const rest = problems.length > LISTED_PROBLEMS ? `\n  and ${problems.length - LISTED_PROBLEMS} more` : '';
  return new CandorError('interchange.invalid', `Nothing is written, names do not fit:\n  ${shown}${rest}`, {
    data: { problems },
  });
}

/** The files of a project that an import becomes. */
interface ProjectFile {
  readonly folder: 'semantics' | 'examples' | 'knowledge';
  readonly name: string;
  readonly text: string;
}

/**
 * `semantics/<name>.yml`, one `examples/*.sql` a verified pair, named after its question, and `knowledge/<name>.md`. The
 * semantic file comes last: what is there before it is there is whole without it.
 */
function importFiles(imported: Imported, name: string, origin: string): ProjectFile[] {
  const { models, examples, notes } = imported;
  const content = { version: '0.2.0', semantic_model: models.map(leanModel) };
  const semantics: ProjectFile = {
    folder: 'semantics',
    name: `${name}.yml`,
    text: `# Imported from ${origin}. Yours to edit; another import asks before it writes over this.\n${writeYaml(content)}`,
  };
  const taken = new Set<string>();
  const pairs = examples.map((example): ProjectFile => {
    const slug = slugOf(example.question);
    let free = slug;
    for (let count = 2; taken.has(free); count += 1) free = `${slug}-${count}`;
    taken.add(free);
    return { folder: 'examples', name: `${free}.sql`, text: pairText(example) };
  });
  const written: ProjectFile[] =
    notes.length === 0 ? [] : [{ folder: 'knowledge', name: `${name}.md`, text: notesText(notes, name) }];
  return [...written, ...pairs, ...(models.length === 0 ? [] : [semantics])];
}

function slugOf(question: string): string {
  const slug = question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return [...slug].slice(0, 60).join('').replace(/-+$/, '') || 'question';
}

function pairText({ question, sql, verifiedBy, verifiedAt }: Imported['examples'][number]): string {
  const matter = [
    `-- question: ${onOneLine(question)}`,
    ...(verifiedBy === undefined ? [] : [`-- verified_by: ${onOneLine(verifiedBy)}`]),
    ...(verifiedAt === undefined ? [] : [`-- verified_at: ${verifiedAt}`]),
  ];
  // A comment that looks like front matter would be read as such; an empty one ends the block before it.
  const end = /^\s*--\s*[A-Za-z_]+\s*:/.test(sql) ? ['--'] : [];
  return `${[...matter, ...end, sql.trim()].join('\n')}\n`;
}

function notesText(notes: Imported['notes'], name: string): string {
  const topics = new Map<string, string[]>();
  for (const { text, topic = name } of notes) topics.set(topic, [...(topics.get(topic) ?? []), text]);
  const parts = [...topics].map(([topic, texts]) => {
    const items = texts.map((text) => `- ${text.trim().split(/\r?\n/).map(plainLine).join('\n  ')}`);
    return `# ${onOneLine(topic)}\n\n${items.join('\n')}\n`;
  });
  return parts.join('\n');
}

/** Without what would start a heading or a list of its own. */
function plainLine(line: string): string {
  return line.trim().replace(/^(?:#+|[-*+]|---+)\s+/, '');
}

// Puts several files in place: all of them or, when it is interrupted before that is settled, none.

/** What a file is called until all of them are written. */
const DRAFT = '.importing';
const JOURNAL = z.strictObject({ files: z.array(z.string()) });

export interface PlacedFile {
  readonly path: string;
  readonly text: string;
}

/** Called after each step that can be interrupted: for progress, and for tests that stop there. */
type OnStep = (step: string) => void;

/**
 * Writes the files, whole, from drafts beside them. A journal in `journalFolder` is the point of no return: stopped
 * before it, nothing has changed; stopped after it, `finishPlacing` puts the rest in place. The order given is the order
 * in which they appear.
 */
async function placeFiles(
  files: readonly PlacedFile[],
  journalFolder: string,
  onStep: OnStep = () => {},
): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(path + DRAFT, text);
    onStep(`draft of ${path}`);
  }
  await mkdir(journalFolder, { recursive: true });
  const journal = journalOf(journalFolder);
  const paths = files.map(({ path }) => relative(journalFolder, path));
  await writeWhole(`${journal}.tmp`, JSON.stringify({ files: paths }));
  onStep('journal written');
  await rename(`${journal}.tmp`, journal);
  onStep('journal in place');
  for (const { path } of files) {
    await rename(path + DRAFT, path);
    onStep(path);
  }
  await rm(journal);
}

/**
 * Ends what an interrupted run began: drafts of a journal are put in place, others are removed. Returns what was put in
 * place. Only files in `folders` are touched.
 */
async function finishPlacing(journalFolder: string, folders: readonly string[]): Promise<string[]> {
  const finished: string[] = [];
  for (const name of await readJournal(journalOf(journalFolder))) {
    const path = resolve(journalFolder, name);
    const isInside = folders.some((folder) => path.startsWith(resolve(folder) + sep));
    if (!isInside || !(await exists(path + DRAFT))) continue;
    await rename(path + DRAFT, path);
    finished.push(path);
  }
  await rm(journalOf(journalFolder), { force: true });
  for (const folder of folders)
    for (const name of await namesIn(folder)) if (name.endsWith(DRAFT)) await rm(join(folder, name));
  return finished;
}

function journalOf(folder: string): string {
  return join(folder, 'import.json');
}

async function readJournal(path: string): Promise<readonly string[]> {
  if (!(await exists(path))) return [];
  try {
    return JOURNAL.parse(JSON.parse(await readFile(path, 'utf8'))).files;
  } catch (error) {
    // It is written whole, so this is no journal of ours: nothing is put in place on its word.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return [];
    throw error;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(absent)) !== undefined;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
