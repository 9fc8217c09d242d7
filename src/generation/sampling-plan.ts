import type { Draw } from '../reasoning/roles/write-reasoner.ts';

const METHODS: readonly Draw['method'][] = ['plan', 'steps', 'divide'];
/** One band for each of three draws: near the likeliest, between, far (ThothAI, section 12). */
const TEMPERATURES: readonly number[] = [0.2, 0.6, 0.9];

/**
 * How `count` candidates are drawn: one without chance, several by methods in turn at rising temperatures, so that they
 * do not all make the same mistake. Sources: ThothAI, section 12; overview, conflict 14.
 */
export function drawsFor(count: number): readonly Draw[] {
  if (count === 1) return [{ index: 0, method: 'direct', temperature: 0 }];
  return Array.from({ length: count }, (_, index) => ({
    index,
    method: METHODS[index % METHODS.length]!,
    temperature: TEMPERATURES[index % TEMPERATURES.length]!,
  }));
}
