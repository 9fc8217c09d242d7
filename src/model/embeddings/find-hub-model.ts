/** Models of the Hugging Face hub that are on this machine already. */

import { join } from 'node:path';
import { CandorError } from '../../errors.ts';
import { readIfThere } from '../../store/index.ts';
import { isThere } from './read-json-file.ts';
import { MODEL_FILES } from './read-model-folder.ts';

/** `org/name` or `org/name@revision`; without one it is `main`. */
export interface HubModel {
  readonly organisation: string;
  readonly name: string;
  readonly revision: string;
}

/** One part of an id: what the hub allows, and nothing that leads out of a folder. */
const HUB_ID =
  /^(?<organisation>[\w][\w.-]{0,95})\/(?<name>[\w][\w.-]{0,95})(?:@(?<revision>[\w][\w.-]{0,95}))?$/;
const COMMIT = /^[0-9a-f]{40}$/;

/** `undefined` when the text is no id of the hub. */
export function readHubId(text: string): HubModel | undefined {
  const { organisation, name, revision = 'main' } = HUB_ID.exec(text)?.groups ?? {};
  if (organisation === undefined || name === undefined) return undefined;
  if ([organisation, name, revision].some((part) => part.includes('..'))) return undefined;
  return { organisation, name, revision };
}

/**
 * The folder of the model in the hub's own cache (`HF_HOME`), as its other tools fill it: the commit stands in
 * `hub/models--org--name/refs/main`, the files in `snapshots/<commit>/`.
 */
export async function findHubModel(hubDirectory: string, model: HubModel): Promise<string | undefined> {
  const folder = join(hubDirectory, 'hub', `models--${model.organisation}--${model.name}`);
  const commit = COMMIT.test(model.revision)
    ? model.revision
    : (await readIfThere(join(folder, 'refs', model.revision)))?.trim();
  if (commit === undefined) return undefined;
  if (!COMMIT.test(commit))
    throw new CandorError('model.invalid', `${join(folder, 'refs', model.revision)} holds no commit`);
  const snapshot = join(folder, 'snapshots', commit);
  // Other tools fetch single files: a folder without the model is not a model.
  const files = MODEL_FILES.map((name) => isThere(join(snapshot, name)));
  return (await Promise.all(files)).includes(true) ? snapshot : undefined;
}
