import { isSameText } from './is-same-text.ts';

/** The SQL that failed before is not offered again. */
export function withoutFailed<Written extends { readonly sql: string }>(
  candidates: readonly Written[],
  failed: string | undefined,
): readonly Written[] {
  return failed === undefined ? candidates : candidates.filter(({ sql }) => !isSameText(sql, failed));
}
