import { defineConfig, type Plugin } from 'vitest/config';
import { candorProgram } from './test/fixtures/candor-program.ts';

/**
 * Tests beside the sources that run a whole system: they train models, onboard databases, start processes and servers, or ask a suite of
 * questions. Two thirds of the time of all tests beside the sources are theirs, so the inner loop leaves them to `npm test`.
 */
export const SYSTEM_TESTS = [
  'agent/{converse,converse-by-model,lead-on}',
  'answering/{answer-with-model,prompt/link-question,replay,review/review-query}',
  'catalog/{profiles/collect-values,read-catalog}',
  'database/embedded/{executor-pool,executor-process}',
  'database/guard/{analyse-aside,hostile-texts}',
  'demo/{make-motors,motors-project}',
  'knowledge/{base/open-synced-store,derived/profile-run,lake/open-lake,usage/state/ingest-logs}',
  'knowledge/values/{open-value-index,search/candidates}',
  'lab/corpus/read-suite',
  'lab/engine/{adapt-engine,train-engine}',
  'lab/evaluation/run-suite',
  'lab/linking/{read-link-set,training/train-linker}',
  'lab/reward/{endpoint/start-reward-server,scorer/open-scorer}',
  'lab/suites/{altered/run-altered,answerable/learn-boundary,boundary/boundary}',
  'lab/synthesis/{build/synthesise,refine/refine-bench}',
  'lab/uncertainty/training/{half-linkers,retrain,shipped-rows}',
  'linking/{evilink/tools/run-tool,link-schema}',
  'model/encoder-process',
  'onboarding/onboard',
  'server/{mcp/mcp,mcp/mcp-protocol,routes/project/file-routes,routes/routes,sessions/project-sessions}',
].map((place) => `src/${place}.test.ts`);

/** They keep nothing in modules: read once for all files of a worker, these take half the processor's time. */
const isolate = false;

/**
 * A run starts many hundred processes that hold or load a database. Where the build is of today they run its files, as users have them,
 * for half the time; `executor-process.test.ts` starts them from the sources.
 */
const builtProcesses: Plugin = {
  name: 'built-processes',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith(STARTS_PROCESSES)) return null;
    const [program = ''] = candorProgram();
    const dist = program.slice(0, -'cli/main.js'.length);
    if (`${dist}cli/main.js` !== program) return null;
    const sources = id.slice(0, -STARTS_PROCESSES.length);
    const found = code
      .replace('fileURLToPath(named)', `fileURLToPath(named).replace('${sources}/src/', '${dist}')`)
      .replace("import.meta.url.endsWith('.ts')", 'false');
    if (!found.includes(dist) || found.includes('import.meta.url.endsWith'))
      throw new Error(`${id} starts processes otherwise than vitest.config.ts thinks`);
    return { code: found, map: null };
  },
};
const STARTS_PROCESSES = '/src/database/embedded/executor-process.ts';

export default defineConfig({
  plugins: [builtProcesses],
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
          exclude: SYSTEM_TESTS,
          isolate,
        },
      },
      { extends: true, test: { name: 'system', include: SYSTEM_TESTS, isolate } },
      {
        extends: true,
        test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: ['test/bench/**'], isolate },
      },
      // Every bench once at its smallest size, and the gold queries of large sets: ten minutes that no change of every day needs.
      { extends: true, test: { name: 'bench', include: ['test/bench/**/*.test.ts'], testTimeout: 180_000 } },
    ],
  },
});
