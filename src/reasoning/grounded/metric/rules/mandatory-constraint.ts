import type { Dimension, SemanticModel } from '../../../../knowledge/semantic/index.ts';
import type { Boundary } from '../../../roles/reading.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { BoundMetric } from '../bind/bind-metric.ts';

/** A metric that only makes sense for one value of a dimension which the question does not name. */
export function mandatoryConstraint(
  bound: BoundMetric,
  question: string,
  knowledge: GroundedKnowledge,
): Boundary | null {
  const mandatory = [
    ...new Set([bound.metric, ...bound.parts].flatMap((metric) => metric.mandatoryDimensions)),
  ];
  const used = [
    ...bound.groups.flatMap((group) => group.dimension ?? []),
    ...bound.filters.flatMap((filter) => filter.dimension ?? []),
  ];
  const missing = mandatory.find(
    (name) => !used.some((dimension) => covers(dimension, name, knowledge.semantics)),
  );
  if (missing === undefined) return null;
  const dimension = knowledge.semantics.dimensions.find((item) => item.name === missing);
  const examples =
    dimension === undefined ? [] : (knowledge.graph.column(dimension.column).profile?.examples ?? []);
  const base = question.replace(/[?.!\s]+$/, '');
  const options = [
    { label: `for each ${missing}`, question: `${base} by ${missing}` },
    ...examples.slice(0, 4).map((value) => ({ label: value, question: `${base} for ${missing} ${value}` })),
  ];
  return {
    kind: 'follow_up',
    metric: bound.metric.name,
    dimension: missing,
    ask: `“${bound.metric.name}” is only meaningful for a ${missing}. Which ${missing} do you mean?`,
    options,
  };
}

/** A level below answers for the level above: a model names its series. */
function covers(dimension: Dimension, name: string, semantics: SemanticModel): boolean {
  let level: Dimension | undefined = dimension;
  for (let depth = 0; level !== undefined && depth < 10; depth++) {
    if (level.name === name || level.synonyms.includes(name)) return true;
    const parent: string | undefined = level.parent;
    level = parent === undefined ? undefined : semantics.dimensions.find((item) => item.name === parent);
  }
  return false;
}
