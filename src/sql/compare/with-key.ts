import type { NormalCte } from './normal-form.ts';

/** What WITH puts before the key of a query. */
export function withKey(ctes: readonly NormalCte[]): string {
  if (ctes.length === 0) return '';
  return `with ${ctes.map(({ label, query }) => `${label} as (${query.key})`).join(', ')} `;
}
