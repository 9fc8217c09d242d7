/** Switches of linking that papers switch off one by one, by the names that `candor eval link --ablate` takes. */

import { CandorError } from '../../errors.ts';
import type { RetrievalSettings } from '../../knowledge/retrieve/index.ts';
import { nearestNames } from '../../language/index.ts';
import { EVILINK_ABLATIONS, type LinkSettings } from '../../linking/index.ts';
import type { LinkerName } from './linkers/linker-names.ts';

/** What a way of linking does otherwise. */
export interface Ablated {
  readonly settings?: (settings: LinkSettings) => LinkSettings;
  readonly retrieval?: Partial<RetrievalSettings>;
  /** No stored value is looked up, by anybody. */
  readonly withoutValues?: true;
  /** What comes with a question beside its words is kept back. */
  readonly withoutHint?: true;
}

interface Ablation extends Ablated {
  /** For `--help`. */
  readonly title: string;
  /** The ways that it changes. */
  readonly modes: readonly LinkerName[];
}

const OWN: readonly LinkerName[] = ['grounded', 'votes', 'evilink', 'filter', 'rankers'];

const evilink = (change: Partial<LinkSettings['evilink']>) => (settings: LinkSettings) => ({
  ...settings,
  evilink: { ...settings.evilink, ...change },
});
const rankers = (change: Partial<LinkSettings['rankers']>) => (settings: LinkSettings) => ({
  ...settings,
  rankers: { ...settings.rankers, ...change },
});
const filter = (change: LinkSettings['filter']) => (settings: LinkSettings) => ({
  ...settings,
  filter: { ...settings.filter, ...change },
});

export const ABLATIONS = {
  hint: { title: 'the evidence that comes with a question', modes: OWN, withoutHint: true },
  values: {
    title: 'stored values (ThothAI)',
    modes: OWN,
    withoutValues: true,
    retrieval: { useValues: false },
  },
  multi: {
    title: 'more than one hypothesis (EviLink, no multi)',
    modes: ['votes', 'evilink'],
    settings: evilink(EVILINK_ABLATIONS['no multi']),
  },
  refine: {
    title: 'refinement of what hypotheses chose (EviLink, no refine)',
    modes: ['votes', 'evilink'],
    settings: evilink(EVILINK_ABLATIONS['no refine']),
  },
  together: {
    title: 'one call for all readings: hypotheses, tables and columns one by one, as published',
    modes: ['evilink'],
    settings: evilink(EVILINK_ABLATIONS['separate calls']),
  },
  names: {
    title: 'names that are like a word of the question',
    modes: ['filter', 'rankers'],
    settings: filter({ useNameMatches: false }),
    retrieval: { useNames: false },
  },
  paths: {
    title: 'tables between those that were found (ThothAI, backbone)',
    modes: ['filter'],
    settings: filter({ backbone: 'touched' }),
  },
  'table-ranker': {
    title: 'the ranker of tables (LinkedIn)',
    modes: ['rankers'],
    settings: rankers({ useTableRanker: false }),
  },
  'column-ranker': {
    title: 'the ranker of columns (LinkedIn)',
    modes: ['rankers'],
    settings: rankers({ useColumnRanker: false }),
  },
} as const satisfies Readonly<Record<string, Ablation>>;

export type AblationName = keyof typeof ABLATIONS;
export const ABLATION_NAMES = Object.keys(ABLATIONS) as AblationName[];

/** Throws `eval.mode-invalid`, with the names that are near, for one that is not known, or that changes nothing in this way. */
export function readAblations(names: readonly string[], mode: LinkerName): readonly AblationName[] {
  return [...new Set(names)].map((name) => {
    const known = ABLATION_NAMES.find((each) => each === name);
    if (known === undefined) {
      const near = nearestNames(name, ABLATION_NAMES, 3);
      const hint = near.length > 0 ? `near it: ${near.join(', ')}` : `known are ${ABLATION_NAMES.join(', ')}`;
      throw new CandorError(
        'eval.mode-invalid',
        `nothing called ${name.slice(0, 50)} can be switched off; ${hint}`,
      );
    }
    const { modes }: Ablation = ABLATIONS[known];
    if (modes.includes(mode)) return known;
    throw new CandorError(
      'eval.mode-invalid',
      `the way ${mode} has no ${known} to switch off; it is of ${modes.join(', ')}`,
    );
  });
}

/** All of them as one. */
export function ablate(names: readonly AblationName[]): Required<
  Omit<Ablated, 'withoutValues' | 'withoutHint'>
> & {
  readonly withoutValues: boolean;
  readonly withoutHint: boolean;
} {
  const all = names.map((name): Ablation => ABLATIONS[name]);
  return {
    settings: (settings) => all.reduce((so, { settings: change }) => change?.(so) ?? so, settings),
    retrieval: Object.assign({}, ...all.map(({ retrieval }) => retrieval)),
    withoutValues: all.some(({ withoutValues }) => withoutValues),
    withoutHint: all.some(({ withoutHint }) => withoutHint),
  };
}

/** As runs are told apart: `votes without multi, refine`. */
export function ablatedMode(mode: string, names: readonly AblationName[]): string {
  return names.length === 0 ? mode : `${mode} without ${names.join(', ')}`;
}
