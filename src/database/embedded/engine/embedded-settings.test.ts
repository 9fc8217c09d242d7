import { expect, it } from 'vitest';
import { embeddedLimits } from './embedded-settings.ts';

const MIB = 1024 * 1024;

it.each([
  ['a laptop', { cores: 8, memoryMib: 16_384 }, { processes: 4, memoryMib: 2_048, threads: 4 }],
  ['two cores', { cores: 2, memoryMib: 8_192 }, { processes: 3, memoryMib: 1_365, threads: 1 }],
  ['a small container', { cores: 1, memoryMib: 512 }, { processes: 2, memoryMib: 256, threads: 1 }],
])('%s', (_, { cores, memoryMib }, expected) => {
  const limits = embeddedLimits({}, { cores, memoryBytes: memoryMib * MIB });
  expect({
    processes: limits.processes,
    memoryMib: Math.floor(limits.memoryBytes / MIB),
    threads: limits.threads,
  }).toEqual(expected);
  expect(limits.temporaryBytes).toBe(0);
});

it('shares the memory among as many processes as are asked for', () => {
  const limits = embeddedLimits({ processes: 8, threads: 3 }, { cores: 2, memoryBytes: 8_192 * MIB });
  expect(limits).toEqual({ processes: 8, memoryBytes: 512 * MIB, threads: 3, temporaryBytes: 0 });
});
