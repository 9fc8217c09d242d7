import { CandorError } from '../errors.ts';

export interface SoftmaxSettings {
  /** How often every example is seen. */
  readonly epochs: number;
  /** The step of AdaGrad, before it is divided by the root of what was summed. */
  readonly learningRate: number;
  /** Half of this times the sum of squared weights is added to the sum of losses: one over C of scikit-learn. */
  readonly l2: number;
  /** Features in fewer examples than this are dropped before training, … */
  readonly minCount: number;
  /** … and those whose weights are all nearer to 0 than this after it. */
  readonly minWeight: number;
  /** Weights are multiples of 2 to the power of minus this, or coarser where they are large: coarser ones make a smaller file. */
  readonly precision: number;
  /** Of the order in which examples are seen. */
  readonly seed: number;
}

export const DEFAULT_SOFTMAX: SoftmaxSettings = {
  epochs: 20,
  learningRate: 0.2,
  l2: 1,
  minCount: 2,
  minWeight: 0.01,
  precision: 14,
  seed: 1,
};

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
}

const RANGES: Readonly<Record<keyof SoftmaxSettings, Range>> = {
  epochs: { least: 1, most: 10_000, isWhole: true },
  learningRate: { least: 1e-6, most: 10 },
  l2: { least: 0, most: 1e6 },
  minCount: { least: 1, most: 1_000_000_000, isWhole: true },
  minWeight: { least: 0, most: 1e6 },
  precision: { least: 0, most: 14, isWhole: true },
  seed: { least: 0, most: 4_294_967_295, isWhole: true },
};

/** Fills in the defaults; throws `softmax.data-invalid`, which names the setting and what it may be. */
export function checkSoftmaxSettings(given: Partial<SoftmaxSettings>): SoftmaxSettings {
  const settings = { ...DEFAULT_SOFTMAX, ...given };
  for (const [name, { least, most, isWhole = false }] of Object.entries(RANGES)) {
    const value = settings[name as keyof typeof RANGES];
    if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) continue;
    const kind = isWhole ? 'a whole number' : 'a number';
    throw new CandorError(
      'softmax.data-invalid',
      `${name} is ${kind} from ${least} to ${most}, not ${String(value)}`,
    );
  }
  return settings;
}
