/** Models as formats build and compare them: without what is empty, and with defaults filled in at the end. */
import type { z } from 'zod';
import { CandorError } from '../../../errors.ts';
import { type FileModel, SEMANTIC_FILE } from '../../semantic/semantic-file.ts';

/** A model as a file may write it: what may be left out is optional. */
export type LeanModel = z.input<typeof SEMANTIC_FILE>['semantic_model'][number];
export type LeanDataset = LeanModel['datasets'][number];
export type LeanField = NonNullable<LeanDataset['fields']>[number];
export type LeanMetric = NonNullable<LeanModel['metrics']>[number];
export type LeanRelationship = NonNullable<LeanModel['relationships']>[number];
export type LeanExtensions = NonNullable<LeanModel['custom_extensions']>;

/** The model with its defaults; `place` is where a complaint points to. */
export function completeModel(model: LeanModel, place: string): FileModel {
  const parsed = SEMANTIC_FILE.safeParse({ semantic_model: [model] });
  const complete = parsed.data?.semantic_model[0];
  if (complete !== undefined) return complete;
  const issue = parsed.error?.issues[0];
  const where = issue?.path.slice(2).join('.') ?? '';
  throw new CandorError('interchange.invalid', `${place}: ${where}: ${issue?.message ?? 'not understood'}`, {
    data: { place },
  });
}

/** The model without empty lists and what is undefined; JSON texts in extensions become what they say. */
export function leanModel(model: FileModel): LeanModel {
  const lean = withoutEmpty(model);
  const parsed = SEMANTIC_FILE.safeParse({ semantic_model: [lean] });
  // Nothing required is ever empty here: names have a letter, lists of columns an entry, and `datasets` is put back.
  if (!parsed.success)
    throw new CandorError('internal.bug', `a lean model is no model: ${parsed.error.message}`);
  return lean as LeanModel;
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (item === undefined || (Array.isArray(item) && item.length === 0 && key !== 'datasets')) return [];
    if (key === 'data' && 'vendor_name' in value) return [[key, dataOf(item)]];
    const lean = withoutEmpty(item);
    return key === 'ai_context' && isRecord(lean) && Object.keys(lean).length === 0 ? [] : [[key, lean]];
  });
  return Object.fromEntries(entries);
}

/** The data of an extension: a JSON text counts as the mapping it says where nothing of its spelling is lost. */
export function dataOf(data: unknown): unknown {
  if (typeof data !== 'string' || !data.startsWith('{')) return data;
  try {
    const parsed: unknown = JSON.parse(data);
    return JSON.stringify(parsed) === data ? parsed : data;
  } catch {
    // No JSON: some other text of that vendor, which stays as it is.
    return data;
  }
}

/** Synonyms and what else there is to say to a reader of words; `undefined` when there is nothing. */
export function contextOf(synonyms: readonly string[], instructions?: string): LeanModel['ai_context'] {
  if (synonyms.length === 0 && instructions === undefined) return undefined;
  return {
    ...(instructions === undefined ? {} : { instructions }),
    ...(synonyms.length === 0 ? {} : { synonyms: [...synonyms] }),
  };
}

/** The synonyms of a dataset, field, metric or relationship. */
export function synonymsOf(context: FileModel['ai_context']): readonly string[] {
  return typeof context === 'object' ? context.synonyms : [];
}

/** The standard SQL of a field or a metric, for which there always is one after an import. */
export function standardSql(item: { readonly expression: LeanField['expression'] }): string | undefined {
  return item.expression.dialects.find(({ dialect }) => dialect.toUpperCase() === 'ANSI_SQL')?.expression;
}

/** One expression in standard SQL. */
export function expressionIn(sql: string): LeanField['expression'] {
  return { dialects: [{ dialect: 'ANSI_SQL', expression: sql }] };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
