import type { Notice } from '../../results/index.ts';

/** Of warnings that the engine tells in its own words alone. */
export function warningNotices(count: number): readonly Notice[] {
  if (count === 0) return [];
  const times = count === 1 ? 'once' : `${count} times`;
  return [{ code: 'engine-warning', text: `The engine warned ${times} while it ran the statement.` }];
}
