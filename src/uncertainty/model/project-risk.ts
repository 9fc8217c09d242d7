/**
 * What a project knows of its own answers: labels, one JSON object a line, of those of which somebody knows whether they were right (no
 * question stands there, only its hash), and what `candor train risk` has learned of them.
 */
import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { makeFolder, modeOfFile, readIfThere, writeWhole } from '../../store/index.ts';
import { RISK_CURVE_SCHEMA } from '../calibration/calibration-schema.ts';
import { fitShift, type ProjectRisk } from '../calibration/recalibrate-risk.ts';
import { riskCoverage } from '../calibration/risk-coverage.ts';
import type { WriterRisk } from './open-model.ts';
import type { UncertaintyModel } from './uncertainty-model.ts';

/** Among the derived files of a project; it alone of them cannot be derived again, and no bundle carries it. */
export const LABELS_FILE = 'labels.jsonl';

/** Who answers where no language model does. */
export const BUILT_IN_WRITER = 'built-in engine';

export const LABEL_SOURCES = ['test', 'pair', 'thumb'] as const;

const LABEL = z.strictObject({
  /** `questionKey` */
  question: z.string().min(1).max(64),
  /** As it was before labels moved it. */
  risk: z.number().min(0).max(1),
  isWrong: z.boolean(),
  /** `test`: compared with what a test expects; `pair`: with the SQL of a verified pair; `thumb`: a person says so. */
  from: z.enum(LABEL_SOURCES),
  /** Who wrote the query: the built-in engine, or a model by its id. */
  writer: z.string().min(1).max(300),
  /** Of the models that told the risk. */
  model: z.string().min(1).max(64),
  /** When it was judged, ISO. */
  at: z.iso.datetime(),
});

export type AnswerLabel = z.infer<typeof LABEL>;

export interface ReadLabels {
  /** Of each question and writer the newest. */
  readonly labels: readonly AnswerLabel[];
  /** Lines that are no label: the end of one that was cut off, or of a later version. */
  readonly unreadable: number;
}

export interface AskedText {
  readonly question: string;
  readonly hint?: string | undefined;
  readonly after?: readonly string[] | undefined;
}

/** The same for questions that differ in case, blanks and the sign at the end alone. */
export function questionKey({ question, hint = '', after = [] }: AskedText): string {
  const parts = [question, hint, ...after].map((text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/[\s?.!]+$/, '')
      .trim(),
  );
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

export async function readLabels(directory: string): Promise<ReadLabels> {
  const newest = new Map<string, AnswerLabel>();
  let unreadable = 0;
  for (const line of ((await readIfThere(join(directory, LABELS_FILE))) ?? '').split('\n')) {
    if (line.trim() === '') continue;
    const label = parseLabel(line);
    if (label === undefined) unreadable += 1;
    // Lines are in the order in which they were written.
    else newest.set(keyOf(label), label);
  }
  return { labels: [...newest.values()], unreadable };
}

/** Adds those that say something new. A line is added in one piece, so that several processes may add at a time. */
export async function addLabels(directory: string, labels: readonly AnswerLabel[]): Promise<void> {
  if (labels.length === 0) return;
  const known = new Map((await readLabels(directory)).labels.map((label) => [keyOf(label), label]));
  const fresh = labels.filter((label) => {
    const before = known.get(keyOf(label));
    return before === undefined || !isSame(before, label);
  });
  if (fresh.length === 0) return;
  await makeFolder(directory);
  const path = join(directory, LABELS_FILE);
  // A line that was cut off ends here, and spoils none behind it.
  const before = (await readIfThere(path)) ?? '';
  const start = before === '' || before.endsWith('\n') ? '' : '\n';
  const lines = fresh.map((label) => `${JSON.stringify(LABEL.parse(label))}\n`).join('');
  await appendFile(path, start + lines, { mode: await modeOfFile(path) });
}

function keyOf({ question, writer }: AnswerLabel): string {
  return `${question} ${writer}`;
}

function isSame(one: AnswerLabel, other: AnswerLabel): boolean {
  const parts = ['risk', 'isWrong', 'from', 'model'] as const;
  return parts.every((part) => one[part] === other[part]);
}

function parseLabel(line: string): AnswerLabel | undefined {
  return LABEL.safeParse(parseJson(line)).data;
}

/** Among the derived files of a project. */
export const PROJECT_RISK_FILE = 'risk.json';

const SHIFT = z.strictObject({
  all: z.number(),
  halves: z.strictObject({ split: z.number(), low: z.number(), high: z.number() }).optional(),
});

const FILE = z.strictObject({
  version: z.literal(1),
  /** Of the models that told the risks: with others the shift means nothing. */
  model: z.string(),
  at: z.iso.datetime(),
  /** By who wrote the queries: each is wrong in its own way. */
  writers: z.record(z.string(), z.strictObject({ shift: SHIFT.optional(), curve: RISK_CURVE_SCHEMA })),
});

export interface KnownProjectRisk {
  readonly writers: ReadonlyMap<string, ProjectRisk>;
  /** The file is of other models, and was set aside. */
  readonly isOfOthers: boolean;
}

/** Tells models apart whose risks are on different scales. */
export function riskModelId(
  { about, curve, queryCalibrator }: Pick<UncertaintyModel, 'about' | 'curve' | 'queryCalibrator'>,
  writer: Pick<WriterRisk, 'weights' | 'curve'> | undefined,
): string {
  const told = JSON.stringify([about, curve, queryCalibrator, writer?.weights, writer?.curve]);
  return createHash('sha256').update(told).digest('hex').slice(0, 16);
}

/** By writer, of the labels whose risk these models told. */
export function fitProjectRisk(
  labels: readonly AnswerLabel[],
  model: string,
): ReadonlyMap<string, ProjectRisk> {
  const byWriter = new Map<string, AnswerLabel[]>();
  for (const label of labels)
    if (label.model === model) byWriter.set(label.writer, [...(byWriter.get(label.writer) ?? []), label]);
  return new Map(
    [...byWriter].map(([writer, own]): [string, ProjectRisk] => {
      const risks = own.map(({ risk }) => risk);
      const curve = riskCoverage({ risks, labels: own.map(({ isWrong }) => Number(isWrong)) });
      const shift = fitShift(own);
      return [writer, { ...(shift && { shift }), curve }];
    }),
  );
}

export async function writeProjectRisk(
  directory: string,
  writers: ReadonlyMap<string, ProjectRisk>,
  { model, at }: { readonly model: string; readonly at: Date },
): Promise<void> {
  const file = { version: 1, model, at: at.toISOString(), writers: Object.fromEntries(writers) };
  await writeWhole(join(directory, PROJECT_RISK_FILE), `${JSON.stringify(file, null, 1)}\n`);
}

/** Nothing where there is no file. Throws `uncertainty.model-invalid` for a damaged one. */
export async function readProjectRisk(directory: string, model: string): Promise<KnownProjectRisk> {
  const path = join(directory, PROJECT_RISK_FILE);
  const text = await readIfThere(path);
  if (text === undefined) return { writers: new Map(), isOfOthers: false };
  const parsed = FILE.safeParse(parseJson(text));
  if (!parsed.success)
    throw new CandorError(
      'uncertainty.model-invalid',
      `cannot use ${path}: ${parsed.error.issues[0]?.message ?? 'it is not JSON'}; candor train risk writes it anew`,
    );
  const { data } = parsed;
  if (data.model !== model) return { writers: new Map(), isOfOthers: true };
  return { writers: new Map(Object.entries(data.writers)), isOfOthers: false };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
