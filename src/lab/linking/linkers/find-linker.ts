/** The ways of linking that can be measured, by name. */
import { CandorError, unreachable } from '../../../errors.ts';
import type { LanguageModel } from '../../../model/index.ts';
import type { ChoiceRisks } from '../../../reasoning/grounded/linking/index.ts';
import type { AblationName } from '../ablations.ts';
import { readPredictions } from '../replay-set.ts';
import type { LinkSetName } from '../sets/link-set.ts';
import type { CaseLinker } from './case-linker.ts';
import { FULL_LINKER } from './full-linker.ts';
import { GROUNDED_MODES, groundedLinker } from './grounded-linker.ts';
import type { LinkerName } from './linker-names.ts';
import { type ReplayOptions, replayLinker } from './replay-linker.ts';
import { retrievalLinker } from './retrieval-linker.ts';

export interface FindLinkerOptions {
  readonly set: LinkSetName;
  readonly dataDirectory: string;
  /** Where what onboarding derives from databases with rows is kept. */
  readonly cacheDirectory: string;
  readonly replay?: ReplayOptions;
  /** What the grounded ways may lose. */
  readonly risks?: ChoiceRisks;
  /** What the grounded ways do without. */
  readonly without?: readonly AblationName[];
  /** For the way that asks one. */
  readonly model?: LanguageModel | undefined;
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
      return groundedLinker(name, GROUNDED_MODES[name], { ...options, model: undefined });
    case 'evilink':
      if (options.model !== undefined) return groundedLinker(name, GROUNDED_MODES.evilink, options);
      throw new CandorError(
        'model.none',
        'the way evilink asks a language model: name it with --model; votes does the same with the readings of the built-in engine',
      );
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
