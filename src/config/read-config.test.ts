import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../errors.ts';
import { CONFIG_DEFAULTS, type ConfigRequest, readConfig, readTerminalEnvironment } from './index.ts';

let root: string;
const file = () => join(root, 'candor.yml');
const read = (request: Partial<ConfigRequest> = {}) => readConfig({ cwd: root, env: {}, ...request });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'candor-config-'));
  await mkdir(join(root, 'reports', 'weekly'), { recursive: true });
});
afterAll(() => rm(root, { recursive: true }));

describe('a project', () => {
  it('is found by walking up, with paths that start at its own folder', async () => {
    await writeFile(file(), 'database: sqlite:data/shop.db\n');
    expect(await read({ cwd: join(root, 'reports', 'weekly') })).toEqual({
      root,
      databaseUrl: `sqlite:${join(root, 'data', 'shop.db')}`,
      derivedDirectory: join(root, '.candor'),
      semanticsDirectory: join(root, 'semantics'),
      knowledgeDirectory: join(root, 'knowledge'),
      examplesDirectory: join(root, 'examples'),
      tables: {},
      impersonate: false,
      testsDirectory: join(root, 'tests'),
      limits: CONFIG_DEFAULTS.limits,
      planCaps: {},
      embedded: {},
      allowedCode: {},
      profile: { pii: 'withhold', keep: [], skip: [] },
      values: { include: [], exclude: [] },
      search: { embedding: 'built-in' },
      areas: [],
      sessionProperties: {},
      usageLogs: [],
      server: { groups: {}, workspaces: {}, embedOrigins: [] },
      jobs: { schedule: {}, logs: [], live: false },
      minProbability: CONFIG_DEFAULTS.minProbability,
    });
  });

  it('keeps the limits it does not name', async () => {
    await writeFile(
      file(),
      'database: duckdb:shop.duckdb\nlimits: { rows: 7 }\nminProbability: 0.8\ntoday: 2024-12-31\n',
    );
    const config = await read();
    expect(config.limits).toEqual({ ...CONFIG_DEFAULTS.limits, rows: 7 });
    expect(config).toMatchObject({ minProbability: 0.8, today: '2024-12-31' });
  });

  it('has schedules of jobs, checked, and logs from its own folder', async () => {
    await writeFile(
      file(),
      'database: sqlite:a.db\njobs: { refresh: 0 3 * * *, logs: [logs], live: true }\n',
    );
    expect((await read()).jobs).toEqual({
      schedule: { refresh: '0 3 * * *' },
      logs: [join(root, 'logs')],
      live: true,
    });
    await writeFile(file(), 'database: sqlite:a.db\njobs: { refresh: 0 25 * * * }\n');
    await expect(read()).rejects.toThrow('jobs.refresh: "25" is no hour (0 to 23)');
    await writeFile(file(), 'database: sqlite:a.db\njobs: { refersh: 0 3 * * * }\n');
    await expect(read()).rejects.toThrow('did you mean `refresh`?');
  });

  it('names the folder of a sentence encoder from itself, and leaves the id of a hub alone', async () => {
    const embeddingOf = async (embedding: string): Promise<string> => {
      await writeFile(file(), `database: shop.db\nsearch: { embedding: "${embedding}" }\n`);
      return (await read({ cwd: join(root, 'reports', 'weekly') })).search.embedding;
    };
    expect(await embeddingOf('onnx:./models/minilm')).toBe(`onnx:${join(root, 'models', 'minilm')}`);
    expect(await embeddingOf('onnx:/srv/minilm')).toBe('onnx:/srv/minilm');
    expect(await embeddingOf('onnx:acme/minilm')).toBe('onnx:acme/minilm');
    expect(await embeddingOf('openai:text-embedding-3-small')).toBe('openai:text-embedding-3-small');
    await expect(embeddingOf('bert')).rejects.toThrow('expected none, built-in');
  });

  it('takes variables from the environment', async () => {
    await writeFile(file(), 'database: "sqlite:$' + '{SHOP_DIR}/shop.db"\n');
    expect((await read({ env: { SHOP_DIR: '/srv/shop' } })).databaseUrl).toBe('sqlite:/srv/shop/shop.db');
  });

  it('keeps the derived files of another database apart from its own', async () => {
    await writeFile(file(), 'database: sqlite:shop.db\n');
    const other = await read({ database: 'sqlite:copy of shop.db', cwd: join(root, 'reports') });
    expect(other.databaseUrl).toBe(`sqlite:${join(root, 'reports', 'copy of shop.db')}`);
    expect(other.derivedDirectory).toMatch(/\.candor\/copy-of-shop-[0-9a-f]{8}$/);
    expect(other.semanticsDirectory).toBe(join(root, 'semantics'));
    const same = await read({ database: join(root, 'shop.db') });
    expect(same.derivedDirectory).toMatch(/\.candor\/shop-[0-9a-f]{8}$/);
  });
});

describe('connections', () => {
  it('are named in candor.yml, with secrets of the environment in them', async () => {
    await writeFile(
      file(),
      `database: shop
connections:
  shop: postgres://reader:$` +
        `{SHOP_PASSWORD}@db.example.com/shop?sslmode=verify-full
  copy: sqlite:copies/shop.db
session: { tenant: 7, region: north }
limits: { cellSize: 500, maxPlanCost: 1e6 }
profile: { maxScanRows: 1000000, keep: [customers.email] }
`,
    );
    const env = { SHOP_PASSWORD: 'p@ss/word' };
    const config = await read({ env, sessionProperties: { tenant: 8 } });
    expect(config).toMatchObject({
      databaseUrl: 'postgres://reader:p%40ss%2Fword@db.example.com/shop?sslmode=verify-full',
      derivedDirectory: join(root, '.candor'),
      tables: {},
      impersonate: false,
      limits: { ...CONFIG_DEFAULTS.limits, cellSize: 500 },
      planCaps: { maxPlanCost: 1e6 },
      allowedCode: {},
      profile: { maxScanRows: 1_000_000, pii: 'withhold', keep: ['customers.email'], skip: [] },
      sessionProperties: { tenant: 8, region: 'north' },
    });
    expect(config.limits).not.toHaveProperty('maxPlanCost');
    const copy = await read({ env, database: 'copy', cwd: join(root, 'reports') });
    expect(copy.databaseUrl).toBe(`sqlite:${join(root, 'copies/shop.db')}`);
  });

  it('take the password the engine’s own client would take', async () => {
    await writeFile(file(), 'database: postgres://reader@db/shop\n');
    expect((await read({ env: { PGPASSWORD: 's3cret' } })).databaseUrl).toBe(
      'postgres://reader:s3cret@db/shop',
    );
  });

  it('keep their derived files when only the password changes', async () => {
    await writeFile(file(), 'database: sqlite:shop.db\n');
    const [one, two] = await Promise.all(
      ['a', 'b'].map((password) => read({ database: `postgres://reader:${password}@db/shop` })),
    );
    expect(one?.derivedDirectory).toBe(two?.derivedDirectory);
    expect(one?.derivedDirectory).toMatch(/shop-[0-9a-f]{8}$/);
  });
});

describe('a language model', () => {
  const read = (request: Partial<ConfigRequest> = {}) => readConfig({ cwd: root, env: {}, ...request });
  const modelOf = async (yml: string, request: Partial<ConfigRequest> = {}) => {
    await writeFile(file(), `database: shop.db\n${yml}`);
    return (await read(request)).model;
  };

  it('is absent unless it is named', async () => {
    expect(await modelOf('')).toBeUndefined();
    expect(await modelOf('model: { name: none }')).toBeUndefined();
    expect(await modelOf('model: { name: "openai:gpt-4.1" }', { model: 'none' })).toBeUndefined();
  });

  it('has defaults, and folders of the project', async () => {
    expect(await modelOf('model: { name: "openai:m", cache: true, record: calls, calls: 5 }')).toEqual({
      ...{ ...CONFIG_DEFAULTS.model, name: 'openai:m', calls: 5, private: false, traceContent: false },
      ...{ cache: join(root, '.candor', 'replies'), record: join(root, 'calls') },
    });
  });

  it('takes the key of its maker from the environment, and never for another address', async () => {
    const env = { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2' };
    expect((await modelOf('model: { name: "openai:m" }', { env }))?.key).toBe('sk-1');
    expect((await modelOf('', { env, model: 'anthropic:claude' }))?.key).toBe('sk-2');
    expect((await modelOf('model: { name: "openai:m", key: mine }', { env }))?.key).toBe('mine');
    const local = 'model: { name: "openai:m", url: "http://localhost:11434/v1" }';
    expect(await modelOf(local, { env })).not.toHaveProperty('key');
    expect(await modelOf(local, { env, model: 'openai:other' })).not.toHaveProperty('key');
  });

  it('named for once keeps what the project says of its kind', async () => {
    const yml =
      'model: { name: "openai:m", url: "http://localhost:1/v1", key: mine, price: { prompt: 1, completion: 2 }, refuses: [seed] }';
    expect(await modelOf(yml)).toMatchObject({ refuses: ['seed'] });
    const other = await modelOf(yml, { model: 'openai:n', isPrivate: true });
    expect(other).toMatchObject({
      name: 'openai:n',
      url: 'http://localhost:1/v1',
      key: 'mine',
      private: true,
    });
    expect(other).not.toHaveProperty('price');
    expect(other).not.toHaveProperty('refuses');
    const foreign = await modelOf(yml, { model: 'google:g' });
    expect(foreign).toMatchObject({ name: 'google:g' });
    expect(foreign).not.toHaveProperty('url');
    expect(foreign).not.toHaveProperty('key');
  });

  it('finds a local file from where it is named', async () => {
    const inProject = await modelOf('model: { name: "gguf:models/small.gguf" }', {
      cwd: join(root, 'reports'),
    });
    expect(inProject?.name).toBe(`gguf:${join(root, 'models', 'small.gguf')}`);
    const named = await modelOf('', { cwd: join(root, 'reports'), model: 'gguf:./small.gguf' });
    expect(named?.name).toBe(`gguf:${join(root, 'reports', 'small.gguf')}`);
  });

  it.each(['gpt-4', 'openai:', 'openai: ', 'http://x', ''])('is not called %j', async (name) => {
    await expect(modelOf('', { model: name })).rejects.toThrow('expected openai:<model>');
  });
});

describe('a database without a project', () => {
  it('keeps its files in .candor of the current folder and reads no folder beside it', async () => {
    await rm(file(), { force: true });
    const config = await read({ database: 'shop.db' });
    expect(config.databaseUrl).toBe(join(root, 'shop.db'));
    expect(config.derivedDirectory).toMatch(/\.candor\/shop-[0-9a-f]{8}$/);
    expect(config.semanticsDirectory.startsWith(config.derivedDirectory)).toBe(true);
  });

  it.each([
    ['postgres://host/shop', () => 'postgres://host/shop'],
    ['file:///srv/shop.db', () => 'file:///srv/shop.db'],
    ['sqlite:///srv/shop.db', () => 'sqlite:/srv/shop.db'],
    ['sqlite://shop.db', () => `sqlite:${join(root, 'shop.db')}`],
    ['duckdb:../shop.duckdb', () => `duckdb:${join(root, '..', 'shop.duckdb')}`],
  ])('reads %s', async (database, expected) => {
    expect((await read({ database })).databaseUrl).toBe(expected());
  });

  it('is told when there is neither', async () => {
    await expect(read()).rejects.toMatchObject({
      code: 'config.not-found',
      message: expect.stringContaining(root),
    });
  });
});

const BAD: readonly { what: string; text: string; code: ErrorCode; says: string }[] = [
  {
    what: 'anchors that multiply',
    text: `database: a.db\na: &a [x, x, x, x, x, x, x, x, x, x]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[at]}`).join(', ')}]`).join('\n')}\n`,
    code: 'config.invalid',
    says: 'candor.yml: its anchors cannot be followed',
  },
  {
    what: 'lists in lists without end',
    text: `database: ${'['.repeat(100_000)}`,
    code: 'config.invalid',
    says: 'candor.yml:1:',
  },
  {
    what: 'more than settings can be',
    text: `database: a.db\n# ${'x'.repeat(1_000_001)}\n`,
    code: 'config.invalid',
    says: 'at most 1000000 are read',
  },
  { what: 'an empty file', text: '', code: 'config.invalid', says: 'candor.yml:1:1: expected keys' },
  { what: 'a list', text: '- a\n', code: 'config.invalid', says: 'candor.yml:1:1: expected keys' },
  { what: 'no database', text: 'limits: {}\n', code: 'config.invalid', says: 'candor.yml:1:1: database: ' },
  {
    what: 'a misspelt key',
    text: '# shop\ndatabse: sqlite:a.db\ndatabase: sqlite:a.db\n',
    code: 'config.invalid',
    says: 'candor.yml:2:1: unknown key `databse`; did you mean `database`?',
  },
  {
    what: 'a misspelt limit',
    text: 'database: sqlite:a.db\nlimits:\n  row: 4\n',
    code: 'config.invalid',
    says: 'candor.yml:3:3: unknown key `row`; did you mean `rows`?',
  },
  {
    what: 'a limit of the wrong type',
    text: 'database: sqlite:a.db\nlimits:\n  rows: many\n',
    code: 'config.invalid',
    says: 'candor.yml:3:3: limits.rows: ',
  },
  {
    what: 'a probability above one',
    text: 'database: sqlite:a.db\nminProbability: 80\n',
    code: 'config.invalid',
    says: 'candor.yml:2:1: minProbability: ',
  },
  {
    what: 'broken YAML',
    text: 'database: "sqlite:a.db\n',
    code: 'config.invalid',
    says: 'candor.yml:',
  },
  {
    what: 'a key given twice',
    text: 'database: a.db\ndatabase: b.db\n',
    code: 'config.invalid',
    says: 'candor.yml:2:1: Map keys must be unique',
  },
  {
    what: 'a variable that is not set',
    text: `limits: {}\ndatabase: sqlite:$${'{SHOP_DB}'}\n`,
    code: 'config.missing-variable',
    says: 'candor.yml:2:18: the variable SHOP_DB is not set',
  },
];

describe('a bad candor.yml', () => {
  it.each(BAD)('with $what names the place', async ({ text, code, says }) => {
    await writeFile(file(), text);
    await expect(read()).rejects.toMatchObject({ code, message: expect.stringContaining(says) });
  });

  it('is not skipped when the project was named', async () => {
    await expect(read({ project: 'reports', database: 'a.db' })).rejects.toMatchObject({
      code: 'config.not-found',
    });
  });
});

describe('the terminal environment', () => {
  it.each([
    [{}, true],
    [{ NO_COLOR: '' }, true],
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
  ])('%j wants colour: %s', (env, wanted) => {
    expect(readTerminalEnvironment(env).isColourWanted).toBe(wanted);
  });

  it('names the benchmark data only when it is set', () => {
    expect(readTerminalEnvironment({ CANDOR_DATA: 'bench' }).dataDirectory).toBe('bench');
    expect(readTerminalEnvironment({}).dataDirectory).toBeUndefined();
    const server = 'postgres://me@localhost/postgres';
    expect(readTerminalEnvironment({ CANDOR_EVAL_POSTGRES: server }).evaluationServer).toBe(server);
    expect(readTerminalEnvironment({ CANDOR_EVAL_MARIADB: server }).evaluationMariadb).toBe(server);
  });
});
