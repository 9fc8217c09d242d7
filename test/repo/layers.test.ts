import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readImports, readSources, withoutComments } from './read-imports.ts';

/** The house of ARCHITECTURE.md: a file may import its own layer and the ones below. */
const LAYERS: readonly (readonly string[])[] = [
  ['boosting', 'language', 'lib', 'results', 'softmax', 'sql', 'answer.ts', 'errors.ts'],
  ['config', 'tracing', 'version.ts', 'database', 'model', 'store'],
  ['catalog', 'knowledge'],
  ['faults', 'reasoning'],
  ['boundary', 'linking', 'generation', 'validation', 'uncertainty'],
  ['onboarding'],
  ['session'],
  ['answering'],
  ['agent', 'lab', 'demo', 'jobs', 'project'],
  ['index.ts', 'cli', 'server'],
];

/** The stages in the order they run; one may know an earlier one's types only. */
const STAGES = ['boundary', 'linking', 'generation', 'validation', 'uncertainty'];

/** Files of types only, which other folders may name directly with `import type`. */
const CONTRACTS = [
  'src/sql/dialects/cell.ts',
  'src/sql/dialects/span.ts',
  'src/sql/dialects/dialect.ts',
  'src/database/interface/database.ts',
  'src/catalog/schema/catalog.ts',
  'src/knowledge/semantic/semantic-model.ts',
  'src/sql/print/query.ts',
  'src/reasoning/roles/reading.ts',
  'src/reasoning/roles/assist-reasoner.ts',
  'src/reasoning/roles/bench-reasoner.ts',
  'src/reasoning/roles/describe-reasoner.ts',
  'src/reasoning/roles/link-reasoner.ts',
  'src/reasoning/roles/normalise-reasoner.ts',
  'src/reasoning/roles/rank-reasoner.ts',
  'src/reasoning/roles/write-reasoner.ts',
  'src/uncertainty/units/node-risk.ts',
  'src/model/language-model/language-model.ts',
];

/** What may stand only in some places. `only` are prefixes of paths; every exception says why. */
const WALLS: readonly { what: string; found: RegExp; only: readonly string[] }[] = [
  {
    what: 'database drivers',
    found: /'(?:node:sqlite|@photostructure\/sqlite|@duckdb\/node-api|pg|pg-cursor|mysql2(?:\/promise)?)'/,
    // src/demo writes the demo database, src/store our own state, run-on-postgres and copy-northwind the databases of a benchmark; all else
    // reads through the Database interface.
    only: [
      'src/database/',
      'src/demo/',
      'src/store/',
      'src/lab/corpus/run-on-postgres.ts',
      'src/lab/corpus/engine-databases.ts',
    ],
  },
  { what: 'the job queue', found: /'pg-boss'/, only: ['src/jobs/'] },
  {
    what: 'the SDK of the Model Context Protocol',
    found: /'@modelcontextprotocol\/[\w/-]+'/,
    only: ['src/server/mcp/'],
  },
  {
    what: 'the web framework',
    found: /'(?:hono|@hono\/[\w-]+)(?:\/[\w-]+)*'/,
    only: ['src/server/'],
  },
  {
    what: 'the Model Context Protocol',
    found: /'@modelcontextprotocol\/[\w-]+(?:\/[\w-]+)*'/,
    only: ['src/server/mcp/'],
  },
  {
    what: 'the SDK of OpenTelemetry',
    found: /'@opentelemetry\/(?!api')[\w-]+'/,
    // A library leaves it to the program around it which spans go where.
    only: ['src/cli/tracing/'],
  },
  { what: 'terminal packages', found: /'(?:commander|@clack\/prompts)'/, only: ['src/cli/'] },
  { what: 'process.env', found: /\bprocess\.env\b/, only: ['src/config/read-config.ts'] },
  {
    what: 'standard streams and process.exit',
    found: /\bprocess\.(?:stdout|stderr|stdin|exit|argv)\b|\bconsole\.\w+\(/,
    // The executor and the loader of files are programs of their own, started by the database folder.
    only: [
      'src/cli/terminal/process-io.ts',
      'src/cli/main.ts',
      'src/database/embedded/executor.ts',
      'src/database/files/loader.ts',
    ],
  },
  {
    what: 'the clock and randomness',
    found: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/,
    only: [
      'src/cli/',
      'src/config/config.ts',
      'src/session/project/open-session.ts',
      'src/tracing/trace.ts',
      'src/lab/',
    ],
  },
  {
    what: 'codes of errors read by their beginning',
    // A stage is typed: `error.stage` and `stageOf`, where one that no code has is a type error.
    found: /\b(?:error|failure)\??\.code\??\.(?:startsWith|match|split)\(|\.test\((?:error|failure)\.code\)/,
    only: ['src/errors.ts'],
  },
  {
    what: 'hashes of our own',
    found: /0x0*811c9dc5|0x0*1000193\b|2166136261|16777619|0x85ebca6b/i,
    // Grams of two words are mixed in pairs, for speed.
    only: ['src/lib/hash-text.ts', 'src/knowledge/values/search/grams.ts'],
  },
  {
    what: 'quotes that are doubled',
    found:
      /replaceAll\((["'`])(['"`])\1, \1\2\2\1\)|replaceAll\((["'`])(['"`])\4\3, \3\4\3\)|replaceAll\((\w*quote\w*), \5 \+ \5\)/,
    // The words of a value are told apart before SQL is read.
    only: ['src/sql/dialects/quoting.ts', 'src/sql/dialects/dialects.ts', 'src/lib/csv.ts'],
  },
  {
    what: 'borders of words inside names',
    found: /(?:\\p\{Ll\}|a-z)[^\n]{0,16}\]?\)(?:\(|\(\?=)(?:\[A-Z\]|\\p\{Lu\})/,
    only: ['src/language/'],
  },
  {
    what: 'singular and stem',
    found: /'(?:pluralize|stemmer)'|\bfunction singular\b|\.endsWith\('ies'\)/,
    only: ['src/language/'],
  },
  {
    what: 'lists of stop words',
    found: /\b(?:STOP_?WORDS|STOPS)\b[^\n]*=\s*(?:new Set|\[|words\(|`|')/,
    only: ['src/language/'],
  },
  { what: 'any and switched-off checks', found: /\bas any\b|:\s*any\b|<any>|\bany\[\]/, only: [] },
];

const MAX_LINES = 500;
/** Long because they are lists. */
const DATA_FILES = [
  /^src\/sql\/functions\//,
  /^src\/sql\/parser\/function-types\.ts$/,
  /^src\/sql\/tree\/node-types\.ts$/,
  /^src\/demo\/motors\//,
  /^src\/errors\.ts$/,
];
const VAGUE_NAMES = /(?:^|[/-])(?:utils?|helpers?|common|core|manager|service)s?(?=[/.-]|$)/;

const sources = readSources('src').filter(({ path }) => !path.endsWith('.test.ts'));

/** The part of the house a file belongs to: `sql`, `ask.ts`. */
const roomOf = (path: string) => path.split('/')[1] ?? '';
const layerOf = (path: string) => LAYERS.findIndex((rooms) => rooms.includes(roomOf(path)));

const links = sources.flatMap(({ path, imports }) =>
  imports.flatMap(({ target, isTypeOnly }) =>
    target === undefined ? [] : [{ from: path, to: target, isTypeOnly, text: `${path} → ${target}` }],
  ),
);
const crossing = links.filter(({ from, to }) => roomOf(from) !== roomOf(to));

describe('the house', () => {
  it('has a layer for every file', () => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.map(({ path }) => path).filter((path) => layerOf(path) < 0)).toEqual([]);
  });

  it('imports only files that are there', () => {
    const known = new Set(sources.map(({ path }) => path));
    expect(links.filter(({ to }) => !known.has(to)).map(({ text }) => text)).toEqual([]);
  });

  it('imports downwards only', () => {
    expect(crossing.filter(({ from, to }) => layerOf(to) > layerOf(from)).map(({ text }) => text)).toEqual(
      [],
    );
  });

  it('lets a stage know only the types of an earlier stage', () => {
    const between = crossing.filter(({ from, to }) =>
      [from, to].every((path) => STAGES.includes(roomOf(path))),
    );
    const wrong = between.filter(
      ({ from, to, isTypeOnly }) => !isTypeOnly || STAGES.indexOf(roomOf(to)) > STAGES.indexOf(roomOf(from)),
    );
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  it('enters a room through a face: its index.ts, or that of a folder in it', () => {
    const wrong = crossing.filter(({ to, isTypeOnly }) => {
      const isFolder = !roomOf(to).endsWith('.ts');
      return isFolder && posix.basename(to) !== 'index.ts' && !(isTypeOnly && CONTRACTS.includes(to));
    });
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  it('offers a name at one face only', () => {
    const faces = sources.filter(
      ({ path }) => posix.basename(path) === 'index.ts' && roomOf(path) !== 'index.ts',
    );
    const offered = faces.flatMap(({ path, code }) =>
      [...code.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';/gm)].flatMap(
        ([, names = '', from = '']) =>
          names
            .split(',')
            .map((name) => name.trim().replace(/^type /, ''))
            .filter(Boolean)
            .map((name) => `${name} of ${posix.join(posix.dirname(path), from)}`),
      ),
    );
    expect(offered.length).toBeGreaterThan(300);
    expect(offered.filter((name, at) => offered.indexOf(name) !== at)).toEqual([]);
  });

  it('has contracts that hold types only', () => {
    const contracts = sources.filter(({ path }) => CONTRACTS.includes(path));
    expect(contracts.map(({ path }) => path).sort()).toEqual([...CONTRACTS].sort());
    for (const { path, code } of contracts)
      expect(/^export (?:const|function|class|let)\b/m.test(code), path).toBe(false);
  });

  it('has no circles', () => expect(circlesOf(links)).toEqual([]));

  it('names what a folder offers', () => {
    expect(sources.filter(({ code }) => /^export \*/m.test(code)).map(({ path }) => path)).toEqual([]);
  });
});

describe('the walls', () => {
  it.each(WALLS)('$what stay where they belong', ({ found, only }) => {
    const wrong = sources.filter(
      ({ path, code }) => found.test(code) && !only.some((prefix) => path.startsWith(prefix)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('no check is switched off', () => {
    const off = readSources('src').filter(({ text }) => /@ts-(?:ignore|nocheck|expect-error)/.test(text));
    expect(off.map(({ path }) => path)).toEqual([]);
  });

  it('layer 0 touches no file, process or network', () => {
    const io = /'node:(?:fs|fs\/promises|child_process|net|http|https|os)'/;
    const wrong = sources.filter(({ path, code }) => layerOf(path) === 0 && io.test(code));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe('budgets', () => {
  it(`keeps a file below ${MAX_LINES} lines`, () => {
    const long = sources
      .filter(({ path }) => !DATA_FILES.some((data) => data.test(path)))
      .filter(({ text }) => text.split('\n').length > MAX_LINES + 1);
    expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length}`)).toEqual([]);
  });

  it('has names that say something', () => {
    const all = [...sources, ...readSources('test')].map(({ path }) => path);
    expect(all.filter((path) => VAGUE_NAMES.test(path))).toEqual([]);
    expect(all.filter((path) => !/^[a-z0-9/.-]+$/.test(path))).toEqual([]);
  });
});

describe('the rules themselves', () => {
  it('read imports of every form', () => {
    const code = withoutComments(`
import type { A } from './a.ts'; // import './no.ts';
import { type B, c } from '../b/index.ts';
import { type D } from './d.ts';
/* import './never.ts'; */
export { e } from './e.ts';
import 'zod';
const x = await import('./f.ts');
const y = "// not a comment";
`);
    expect(code).toContain('// not a comment');
    expect(readImports('src/x/y.ts', code)).toEqual([
      { specifier: './a.ts', isTypeOnly: true, target: 'src/x/a.ts' },
      { specifier: '../b/index.ts', isTypeOnly: false, target: 'src/b/index.ts' },
      { specifier: './d.ts', isTypeOnly: true, target: 'src/x/d.ts' },
      { specifier: './e.ts', isTypeOnly: false, target: 'src/x/e.ts' },
      { specifier: 'zod', isTypeOnly: false },
      { specifier: './f.ts', isTypeOnly: false, target: 'src/x/f.ts' },
    ]);
  });

  it('find a circle', () => {
    const circle = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'a' },
      { from: 'c', to: 'd' },
    ];
    expect(circlesOf(circle)).toEqual(['a → b → c → a']);
    expect(circlesOf(circle.slice(1))).toEqual([]);
  });

  it('find a vague name', () => {
    expect(VAGUE_NAMES.test(posix.join('src', 'string-utils.ts'))).toBe(true);
    expect(VAGUE_NAMES.test('src/sql/score.ts')).toBe(false);
  });
});

/** Every circle that a walk along the imports meets, as `a → b → a`. */
function circlesOf(edges: readonly { readonly from: string; readonly to: string }[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) circles.push([...trail.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return circles;
}
