import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import { readIfThere, writeWhole } from '../../store/index.ts';
import { shownPlace } from '../files/file-folders.ts';
import type { ServerState } from '../state/open-server-state.ts';
import { readLocalFiles, removeLocalFile, writeLocalFile } from './local-files.ts';
import { ProjectTable, type SharedFile } from './project-table.ts';

export interface MovedProject {
  /** Files that were written or removed where they went. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files that were changed where they went alone, and are left as they are there. */
  readonly left: readonly string[];
}

export interface ProjectMove {
  readonly state: ServerState;
  readonly workspace: string;
  /** The checkout. */
  readonly own: Config;
  /** Files that were changed on both sides are taken from where the others come from. */
  readonly isForced: boolean;
}

type Files = ReadonlyMap<string, SharedFile>;
type Etags = Readonly<Record<string, string>>;

/** What both sides had in common when they last met. */
const BASE_FILE = 'project-base.json';
const BASE = z.record(z.string(), z.string());

/** Gives the files of a checkout to the installation, all or none. Throws `project.conflict`, and as the state does. */
export async function pushProject({ state, workspace, own, isForced }: ProjectMove): Promise<MovedProject> {
  const table = new ProjectTable(state, workspace);
  const local = byPlace(await readLocalFiles(own));
  const base = await readBase(own);
  const plan = await table.alone(async (run) => {
    const shared = byPlace((await table.read(run))?.files ?? []);
    const plan = planMove({ from: local, to: shared, base, isForced });
    for (const path of plan.written) await table.put(run, fileOf(local, path));
    for (const path of plan.removed) await table.remove(run, fileOf(shared, path));
    if (plan.written.length + plan.removed.length > 0) await table.announce(run);
    return plan;
  });
  await writeBase(own, plan, { from: local, base });
  return plan;
}

/** Brings the files of the installation into a checkout. Throws `project.conflict`: then nothing is changed. */
export async function pullProject({ state, workspace, own, isForced }: ProjectMove): Promise<MovedProject> {
  const local = byPlace(await readLocalFiles(own));
  const shared = byPlace((await new ProjectTable(state, workspace).read())?.files ?? []);
  const base = await readBase(own);
  const plan = planMove({ from: shared, to: local, base, isForced });
  for (const path of plan.written) await writeLocalFile(fileOf(shared, path), own);
  for (const path of plan.removed) await removeLocalFile(fileOf(local, path), own);
  await writeBase(own, plan, { from: shared, base });
  return plan;
}

/** Who has changed what since both sides last met. */
function planMove({
  from,
  to,
  base,
  isForced,
}: {
  readonly from: Files;
  readonly to: Files;
  readonly base: Etags;
  readonly isForced: boolean;
}): MovedProject {
  const [written, removed, left, conflicts]: [string[], string[], string[], string[]] = [[], [], [], []];
  for (const path of [...new Set([...from.keys(), ...to.keys()])].sort()) {
    const [here, there, before] = [from.get(path)?.etag, to.get(path)?.etag, base[path]];
    if (here === there) continue;
    if (there !== before && here === before) left.push(path);
    else if (there !== before && !isForced) conflicts.push(path);
    else (here === undefined ? removed : written).push(path);
  }
  if (conflicts.length === 0) return { written, removed, left };
  const shown = conflicts.slice(0, 20).join(', ');
  const more = conflicts.length > 20 ? ` and ${conflicts.length - 20} more` : '';
  throw new CandorError('project.conflict', `Changed on both sides: ${shown}${more}. Nothing was moved.`, {
    data: { files: conflicts },
  });
}

function fileOf(files: Files, path: string): SharedFile {
  const file = files.get(path);
  if (file === undefined) throw new CandorError('internal.bug', `${path} is on neither side.`);
  return file;
}

function byPlace(files: readonly SharedFile[]): Files {
  return new Map(files.map((file) => [shownPlace(file), file]));
}

function basePath({ derivedDirectory }: Config): string {
  return join(derivedDirectory, 'shared', BASE_FILE);
}

async function readBase(own: Config): Promise<Etags> {
  const text = await readIfThere(basePath(own));
  return text === undefined ? {} : BASE.parse(JSON.parse(text));
}

/** Files that are left were not met: what was known of them stays. */
async function writeBase(
  own: Config,
  { left }: MovedProject,
  { from, base }: { readonly from: Files; readonly base: Etags },
): Promise<void> {
  const met = Object.fromEntries([...from].map(([path, { etag }]) => [path, etag]));
  for (const path of left) {
    delete met[path];
    const before = base[path];
    if (before !== undefined) met[path] = before;
  }
  await writeWhole(basePath(own), `${JSON.stringify(met, null, 1)}\n`);
}
