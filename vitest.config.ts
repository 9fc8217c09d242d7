import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    globalSetup: ['test/servers/global-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'src',
          include: ['src/**/*.test.ts', 'examples/**/*.test.ts'],
          // They keep nothing in modules: read once for all files of a worker, these take half the processor's time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: ['test/bench/**'] },
      },
      // Every bench once at its smallest size, and the gold queries of large sets: ten minutes that no change of every day needs.
      { extends: true, test: { name: 'bench', include: ['test/bench/**/*.test.ts'], testTimeout: 180_000 } },
    ],
  },
});
