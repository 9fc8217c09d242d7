/** OFFLINE, both halves of onboarding for a project as its `candor.yml` describes it. */
import { type Config, presentOf } from '../config/index.ts';
import { guarded, readRedefined } from '../database/index.ts';
import { readExamples } from '../knowledge/authored/index.ts';
import { restrictSchema } from '../knowledge/base/index.ts';
import {
  checkSemanticModel,
  checkSemanticSql,
  checkSemanticValues,
  readSemanticModel,
} from '../knowledge/semantic/index.ts';
import { connectProject } from './connect-project.ts';
import { type IndexedKnowledge, indexKnowledge } from './index-knowledge.ts';
import { type OnboardEvent, type Onboarded, onboard } from './onboard.ts';

export interface OnboardProjectOptions {
  /** Looks at every table again. */
  readonly refresh: boolean;
  readonly onProgress: (event: OnboardEvent) => void;
  readonly signal: AbortSignal;
}

export interface OnboardedProject extends Onboarded {
  readonly knowledge: IndexedKnowledge;
}

/** Reads the database and indexes what is known of it. Throws as `onboard` and `indexKnowledge` do. */
export async function onboardProject(
  config: Config,
  { refresh, onProgress, signal }: OnboardProjectOptions,
): Promise<OnboardedProject> {
  const semantics = await readSemanticModel(config.semanticsDirectory);
  const examples = await readExamples(config.examplesDirectory);
  const database = guarded(await connectProject(config, { onProgress, signal }), {
    kind: 'own-queries',
    allowedCode: config.allowedCode,
  });
  try {
    const onboarded = await onboard(database, {
      directory: config.derivedDirectory,
      semantics,
      profile: config.profile,
      values: config.values,
      refresh,
      onProgress,
      signal,
    });
    const redefined = onboarded.reused ? undefined : await readRedefined(database, config.allowedCode);
    if (redefined !== undefined)
      onProgress({
        ...{ stage: 'notice', done: 0, total: 0 },
        message: `the database redefines names of the engine, and SQL that may run them is refused (${redefined.names}); guard.allow in candor.yml allows them`,
      });
    const misfits = [
      ...checkSemanticModel(semantics, onboarded.catalog),
      ...checkSemanticSql(semantics, onboarded.catalog.dialect),
      ...checkSemanticValues(semantics, onboarded.catalog),
    ];
    if (misfits.length > 0)
      onProgress({
        ...{ stage: 'notice', done: 0, total: 0 },
        message: `the semantic model does not fit the database: ${misfits[0]}${misfits.length === 1 ? '' : ` There are ${misfits.length - 1} more.`} \`candor doctor\` has them`,
      });
    const known = await restrictSchema(onboarded, config, { semantics, examples });
    const knowledge = await indexKnowledge(config, known, { now: presentOf(config), onProgress, signal });
    return { ...onboarded, knowledge };
  } finally {
    await database.close();
  }
}
