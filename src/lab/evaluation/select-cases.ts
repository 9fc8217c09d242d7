import type { EvaluationCase } from '../corpus/index.ts';

export type Half = 'even' | 'odd' | 'all';

export interface CaseSelection {
  /** Ask only this many cases, evenly spread over the suite. */
  readonly limit?: number;
  readonly half?: Half;
}

/** The half and the evenly spread sample that were asked for, grouped by database so that each opens once. */
export function selectCases<Case extends Pick<EvaluationCase, 'index' | 'databaseUrl'>>(
  cases: readonly Case[],
  { half = 'all', limit }: CaseSelection,
): Case[] {
  const rest = half === 'even' ? 0 : 1;
  const kept = half === 'all' ? cases : cases.filter(({ index }) => index % 2 === rest);
  const wanted = Math.min(limit ?? kept.length, kept.length);
  const sample = Array.from({ length: wanted }, (_, i) => kept[Math.floor((i * kept.length) / wanted)]!);
  const urls = [...new Set(sample.map(({ databaseUrl }) => databaseUrl))];
  return urls.flatMap((url) => sample.filter(({ databaseUrl }) => databaseUrl === url));
}
