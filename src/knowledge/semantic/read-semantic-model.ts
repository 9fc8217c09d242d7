import { CandorError } from '../../errors.ts';
import { readTextFiles, type TextFile } from '../authored/read-text-files.ts';
import { type ConvertedModel, convertModel } from './convert-semantic-model.ts';
import { SEMANTIC_FILE } from './semantic-file.ts';
import type { SemanticModel } from './semantic-model.ts';
import { openYaml } from './yaml-source.ts';

/** Of the files in `semantics/`. */
export const SEMANTIC_NAMES = /\.ya?ml$/;

/** A model without words: what holds for a database nobody has described yet. */
export const emptySemanticModel: SemanticModel = {
  name: 'none',
  datasets: [],
  relationships: [],
  metrics: [],
  dimensions: [],
  valueMappings: [],
  timeRules: { defaultWindow: 'all', excludesToday: false, fiscalYearStartMonth: 1, weekStart: 'monday' },
  jargon: [],
  answers: [],
  outOfScope: [],
  vagueTerms: [],
};

/**
 * Reads every `*.yml` and `*.yaml` of a folder into one model; a missing or empty folder gives the empty one.
 * A fault throws `semantics.invalid` with file, line and column. SQL fragments stay text: whoever uses them
 * parses them first.
 */
export async function readSemanticModel(directory: string): Promise<SemanticModel> {
  return readSemanticTexts(await readTextFiles(directory, SEMANTIC_NAMES, 'semantics.invalid'));
}

/** The model that texts make together, in their order; `shown` is the name that faults have. Throws `semantics.invalid`. */
export function readSemanticTexts(files: readonly Pick<TextFile, 'text' | 'shown'>[]): SemanticModel {
  return mergeModels(files.flatMap(({ text, shown }) => readFileModels(text, shown)));
}

function readFileModels(text: string, file: string): readonly ConvertedModel[] {
  const source = openYaml(text, file);
  // A file of comments only is a model still to be written.
  if (source.value === null || source.value === undefined) return [];
  const content = source.check(SEMANTIC_FILE, source.value, []);
  return content.semantic_model.map((model, index) => convertModel(model, source, ['semantic_model', index]));
}

function mergeModels(models: readonly ConvertedModel[]): SemanticModel {
  const first = models[0];
  if (first === undefined) return emptySemanticModel;
  const withRules = models.filter((model) => model.timeRules !== undefined);
  if (withRules.length > 1) {
    throw new CandorError(
      'semantics.invalid',
      `time_rules stand in ${withRules.length} models (${withRules.map((model) => model.name).join(', ')}); keep one.`,
    );
  }
  const instructions = models.flatMap((model) => model.instructions ?? []).join('\n');
  return {
    name: first.name,
    ...(first.description === undefined ? {} : { description: first.description }),
    ...(instructions === '' ? {} : { instructions }),
    datasets: models.flatMap((model) => model.datasets),
    relationships: models.flatMap((model) => model.relationships),
    metrics: models.flatMap((model) => model.metrics),
    dimensions: models.flatMap((model) => model.dimensions),
    fields: models.flatMap((model) => model.fields ?? []),
    valueMappings: models.flatMap((model) => model.valueMappings),
    timeRules: withRules[0]?.timeRules ?? emptySemanticModel.timeRules,
    jargon: models.flatMap((model) => model.jargon),
    answers: models.flatMap((model) => model.answers),
    outOfScope: models.flatMap((model) => model.outOfScope),
    vagueTerms: models.flatMap((model) => model.vagueTerms),
  };
}
