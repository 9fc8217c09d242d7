import type { Metric, SemanticModel } from '../../knowledge/index.ts';

/** What a figure is made of, a line each; those of a ratio are told with it. */
export function metricInWords(metric: Metric, semantics: Pick<SemanticModel, 'metrics'>): readonly string[] {
  const { name, synonyms, description, table, expression, ratio, filters } = metric;
  const { mandatoryDimensions, timeColumn, unit } = metric;
  const called = synonyms.length === 0 ? '' : ` (also ${synonyms.slice(0, 4).join(', ')})`;
  const formula = ratio === undefined ? expression : `${ratio.numerator} / ${ratio.denominator}`;
  const over = table === undefined ? '' : ` over ${table}`;
  const where = filters.length === 0 ? '' : `, where ${filters.join(' and ')}`;
  const head = description === undefined ? '' : `: ${description.replace(/[.\s]+$/, '')}`;
  const rules = [
    unit === undefined ? '' : `in ${unit}`,
    timeColumn === undefined ? '' : `its time is ${timeColumn}`,
    mandatoryDimensions.length === 0 ? '' : `only with ${mandatoryDimensions.join(' and ')}`,
  ].filter((rule) => rule !== '');
  const parts = ratio === undefined ? [] : [ratio.numerator, ratio.denominator];
  const below = semantics.metrics.filter((one) => parts.includes(one.name) && one.ratio === undefined);
  return [
    `${name}${called}${head}.`,
    ...(formula === undefined
      ? []
      : [`${name} = ${formula}${over}${where}${rules.length === 0 ? '' : `; ${rules.join('; ')}`}.`]),
    ...below.flatMap((one) => metricInWords(one, semantics)),
  ];
}
