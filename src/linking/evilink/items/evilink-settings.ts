/** The switches of EviLink: defaults of the paper (table 7) or of our derivation, and the ablations of its table 2. */
import type { EvidenceLevel } from '../../../catalog/index.ts';
import { CandorError } from '../../../errors.ts';

export interface EvilinkSettings {
  /** Hypotheses at most. */
  readonly kmax: number;
  /**
   * Percent of credibility from which an item is required. From 67 to 83 three of four paths leave an item uncertain
   * and four of four require it, as the paper has it; other values are for curves.
   */
  readonly tau: number;
  /** Turns of refinement at most. */
  readonly turns: number;
  /** Off: everything that a path chose is returned. */
  readonly useRefinement: boolean;
  /** Whether `get_field_stats` answers. */
  readonly useStatistics: boolean;
  /** Whether `keep` brings back what was discarded. */
  readonly allowUndo: boolean;
  /** Off: equal hypotheses vote one by one, where each is the word of another author. */
  readonly mergeDuplicates: boolean;
  /** What the three stages see of each column. */
  readonly tableLevel: EvidenceLevel;
  readonly fieldLevel: EvidenceLevel;
  readonly refineLevel: EvidenceLevel;
  /**
   * Tokens of schema in the one call that tells all hypotheses with what each needs, where the reasoner has such a call;
   * 0: hypotheses, tables and columns are asked for one by one, as published.
   */
  readonly sharedTokens: number;
  /** Characters of schema in one call, as `estimateCharacters` counts them; a larger table goes alone. */
  readonly chunkCharacters: number;
  /** Tables looked at, families counted once. */
  readonly preCut: number;
  /** Of one probe: 10 s, for warehouses 30 s. */
  readonly probeTimeoutMs: number;
}

export const EVILINK_DEFAULTS: EvilinkSettings = {
  kmax: 4,
  tau: 70,
  turns: 8,
  useRefinement: true,
  useStatistics: true,
  allowUndo: false,
  mergeDuplicates: true,
  tableLevel: 'L0',
  fieldLevel: 'L1',
  refineLevel: 'L2',
  sharedTokens: 9_000,
  chunkCharacters: 60_000,
  preCut: 200,
  probeTimeoutMs: 10_000,
};

/** To be laid over the defaults: `{ ...EVILINK_DEFAULTS, ...EVILINK_ABLATIONS['no multi'] }`. */
export const EVILINK_ABLATIONS = {
  'no multi': { kmax: 1 },
  'no refine': { useRefinement: false },
  'separate calls': { sharedTokens: 0 },
  'static L0': staticLevel('L0'),
  'static L1': staticLevel('L1'),
  'static L2': staticLevel('L2'),
  'static L3': staticLevel('L3'),
} as const satisfies Readonly<Record<string, Partial<EvilinkSettings>>>;

function staticLevel(level: EvidenceLevel) {
  return {
    tableLevel: level,
    fieldLevel: level,
    refineLevel: level,
    useStatistics: false,
    sharedTokens: 0,
  } as const;
}

const RANGES = [
  ['kmax', 1, 16],
  ['tau', 1, 99],
  ['turns', 0, 50],
  ['sharedTokens', 0, 1_000_000],
  ['chunkCharacters', 1_000, 10_000_000],
  ['preCut', 1, 1_000_000],
  ['probeTimeoutMs', 1, 600_000],
] as const satisfies readonly (readonly [keyof EvilinkSettings, number, number])[];

/** Throws `linking.invalid-settings` for a number that is not whole or out of its range. */
export function checkEvilinkSettings(settings: EvilinkSettings): void {
  for (const [name, least, most] of RANGES) {
    const value = settings[name];
    if (Number.isInteger(value) && value >= least && value <= most) continue;
    throw new CandorError(
      'linking.invalid-settings',
      `the setting ${name} of EviLink must be a whole number from ${least} to ${most}, not ${value}`,
      { data: { name, value } },
    );
  }
}
