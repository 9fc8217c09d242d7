/** The ways of linking that can be measured, by name. */
import { CandorError, unreachable } from '../../../errors.ts';
import type { ChoiceRisks } from '../../../reasoning/index.ts';
import type { CaseLinker } from '../case-linker.ts';
import type { LinkSetName } from '../link-set.ts';
import { readPredictions } from '../replay-set.ts';
import { FULL_LINKER } from './full-linker.ts';
import { GROUNDED_MODES, groundedLinker } from './grounded-linker.ts';
import { type ReplayOptions, replayLinker } from './replay-linker.ts';
import { retrievalLinker } from './retrieval-linker.ts';

export const LINKER_NAMES = [
  'grounded',
  'votes',
  'filter',
  'rankers',
  'retrieval',
  'full',
  'replay',
] as const;
export type LinkerName = (typeof LINKER_NAMES)[number];

export interface FindLinkerOptions {
  readonly set: LinkSetName;
  readonly dataDirectory: string;
  /** Where what onboarding derives from databases with rows is kept. */
  readonly cacheDirectory: string;
  readonly replay?: ReplayOptions;
  /** What the grounded ways may lose. */
  readonly risks?: ChoiceRisks;
}

/** Throws `eval.mode-invalid` where the set has nothing to replay. */
export async function findLinker(name: LinkerName, options: FindLinkerOptions): Promise<CaseLinker> {
  switch (name) {
    case 'full':
      return FULL_LINKER;
    case 'grounded':
    case 'votes':
    case 'filter':
    case 'rankers':
      return groundedLinker(name, GROUNDED_MODES[name], options);
    case 'retrieval':
      return retrievalLinker();
    case 'replay':
      if (options.set === 'bird')
        return replayLinker(await readPredictions(options.dataDirectory), options.replay);
      throw new CandorError(
        'eval.mode-invalid',
        `there are no predictions to replay for ${options.set}, only for bird`,
      );
    default:
      return unreachable(name);
  }
}
