import { CandorError } from '../errors.ts';

/** Defaults are LightGBM's, but for the learning rate of 0.05 and for drawing no rows or columns. */
export interface TrainingSettings {
  /** Trees at most. */
  readonly trees: number;
  readonly learningRate: number;
  /** Leaves of a tree at most. */
  readonly leaves: number;
  /** Splits between the root and a leaf at most. */
  readonly depth: number;
  /** A leaf has at least so many rows, … */
  readonly minLeafRows: number;
  /** … and at least this sum of second derivatives, w·p·(1 − p). */
  readonly minLeafWeight: number;
  /** Added to the second derivatives of a leaf: shrinks leaves with few rows. */
  readonly l2: number;
  /** A split must lower twice the loss by more than this. */
  readonly minGain: number;
  /** Bins of a column at most, 2 to 255; missing values have one of their own beside them. */
  readonly bins: number;
  /** Share of the rows and of the columns that each tree sees, drawn by `seed`. */
  readonly rowShare: number;
  readonly columnShare: number;
  readonly seed: number;
  /** 1: the probability never falls when the value of the column grows; −1: it never grows. */
  readonly monotone: Readonly<Record<string, -1 | 0 | 1>>;
  /** Stops when the held-out loss has not fallen for so many trees, and keeps the best; needs held-out rows. */
  readonly patience: number;
}

export const DEFAULT_TRAINING: TrainingSettings = {
  trees: 100,
  learningRate: 0.05,
  leaves: 31,
  depth: 64,
  minLeafRows: 20,
  minLeafWeight: 0.001,
  l2: 0,
  minGain: 0,
  bins: 255,
  rowShare: 1,
  columnShare: 1,
  seed: 1,
  monotone: {},
  patience: 20,
};

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
}

const SMALLEST = 1e-12;
const ANY = Number.MAX_VALUE;
const RANGES: Readonly<Record<Exclude<keyof TrainingSettings, 'monotone'>, Range>> = {
  trees: { least: 1, most: 10_000, isWhole: true },
  learningRate: { least: 1e-6, most: 1 },
  leaves: { least: 2, most: 4_096, isWhole: true },
  depth: { least: 1, most: 4_096, isWhole: true },
  minLeafRows: { least: 1, most: 1_000_000_000, isWhole: true },
  minLeafWeight: { least: SMALLEST, most: ANY },
  l2: { least: 0, most: ANY },
  minGain: { least: 0, most: ANY },
  bins: { least: 2, most: 255, isWhole: true },
  rowShare: { least: SMALLEST, most: 1 },
  columnShare: { least: SMALLEST, most: 1 },
  seed: { least: 0, most: 4_294_967_295, isWhole: true },
  patience: { least: 1, most: 10_000, isWhole: true },
};

/** Fills in the defaults; throws `boosting.data-invalid`, which names the setting and what it may be. */
export function checkTrainingSettings(
  given: Partial<TrainingSettings>,
  names: readonly string[],
): TrainingSettings {
  const settings = { ...DEFAULT_TRAINING, ...given };
  for (const [name, { least, most, isWhole = false }] of Object.entries(RANGES)) {
    const value = settings[name as keyof typeof RANGES];
    const isRight = value >= least && value <= most && (!isWhole || Number.isInteger(value));
    if (isRight) continue;
    const kind = isWhole ? 'a whole number' : 'a number';
    throw invalid(`${name} is ${kind} from ${least} to ${most}, not ${value}`);
  }
  for (const [name, direction] of Object.entries(settings.monotone)) {
    if (!names.includes(name))
      throw invalid(`monotone names ${JSON.stringify(name)}, which is no column of the data`);
    if (![-1, 0, 1].includes(direction)) throw invalid(`monotone.${name} is -1, 0 or 1, not ${direction}`);
  }
  return settings;
}

function invalid(message: string): CandorError {
  return new CandorError('boosting.data-invalid', message);
}
