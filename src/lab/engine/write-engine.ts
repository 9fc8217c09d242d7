import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeModelFile } from '../../boosting/index.ts';
import { RATING_FILES } from '../../reasoning/index.ts';
import { encodeSoftmaxModels } from '../../softmax/index.ts';
import { writeWhole } from '../../store/index.ts';
import type { TrainedEngine } from './train-engine.ts';

/** What the models were trained on, for people. */
export interface EngineProvenance {
  readonly data: string;
  readonly licence: string;
  readonly seed: number;
}

/** Writes the models of an engine into a folder, each file whole; returns their size in bytes. */
export async function writeEngine(
  { asked, readings, questions, rows, heldOut }: TrainedEngine,
  folder: string,
  { data, licence, seed }: EngineProvenance,
): Promise<number> {
  const provenance = { data, licence, seed, trained: questions };
  const files = new Map<string, Uint8Array>([
    [
      RATING_FILES.asked,
      encodeSoftmaxModels({ models: { ...asked.shapes, roles: asked.roles }, provenance }),
    ],
    [
      RATING_FILES.readings,
      encodeModelFile({
        model: readings,
        about: 'whether a reading of a question is right; candor train engine',
        data: { data, licence, seed: String(seed), questions: String(questions), rows: String(rows) },
        scores: { ...heldOut },
      }),
    ],
  ]);
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of files) await writeWhole(join(folder, name), bytes);
  return [...files.values()].reduce((sum, { length }) => sum + length, 0);
}
