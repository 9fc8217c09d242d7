import type { BenchItem } from './bench-item.ts';

/** The metric that an item was made of: its template names it. */
export function metricOf({ templateId }: Pick<BenchItem, 'templateId'>): string {
  return templateId.split('|')[1] ?? '';
}
