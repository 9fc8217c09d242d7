/** What rates readings, trained as a person would: on verified pairs of a project, and anew on a benchmark. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/index.ts';
import { makeTinyDatabase, makeTinySuite, tinyPairs } from '../../fixtures/engine/tiny-suite.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-train-'));
  makeTinyDatabase(join(folder, 'farm.db'));
  writeFileSync(join(folder, 'candor.yml'), 'database: sqlite:farm.db\n');
  expect((await run(['onboard', '--quiet'])).code).toBe(0);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], given: Partial<Io> = {}) => runCandor(argv, folder, given);
const train = (...argv: readonly string[]) => run(['train', 'engine', '--quiet', ...argv]);
const own = () => join(folder, '.candor', 'engine-readings.trees');

function verify(most: number): void {
  const examples = join(folder, 'examples');
  mkdirSync(examples, { recursive: true });
  for (const [at, { question, sql }] of tinyPairs().slice(0, most).entries())
    writeFileSync(join(examples, `pair-${at}.sql`), `-- question: ${question}\n${sql}\n`);
}

describe('candor train engine', () => {
  it('says how many pairs are missing', async () => {
    verify(3);
    const { code, stdout, stderr } = await train();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('engine.too-few-pairs');
    expect(stderr).toContain('the engine can read 3; it needs 20');
    expect((await train('--output', 'json')).stdout).toContain('"engine.too-few-pairs"');
  });

  it('measures on pairs held out and writes nothing in a dry run', async () => {
    verify(24);
    const { code, stdout, stderr } = await train('--dry-run', '--output', 'json');
    expect(code, stderr).toBe(0);
    const said = JSON.parse(stdout);
    expect(said).toMatchObject({ questions: 24, isWritten: false });
    expect(Object.keys(said).sort()).toEqual(['isBetter', 'isWritten', 'loss', 'questions', 'right']);
    for (const share of Object.values(said.right)) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(100);
    }
    expect(existsSync(own())).toBe(false);
    expect((await train('--dry-run', '--output', 'json')).stdout).toBe(stdout);
    const table = (await train('--dry-run')).stdout;
    expect(table).toContain('24 verified pairs');
    expect(table).toMatch(/^ {2}the models that come with Candor +\d+\.\d +\d+\.\d{4}$/m);
    expect(table).toMatch(/^ {2}with what this project has verified +\d+\.\d +\d+\.\d{4}$/m);
    expect(table).toContain('nothing was written');
  }, 240_000);

  it('writes what is better, and questions are asked with it', async () => {
    const { code, stdout, stderr } = await train('--output', 'json');
    expect(code, stderr).toBe(0);
    const said = JSON.parse(stdout);
    expect(said.isWritten).toBe(said.isBetter);
    expect(existsSync(own())).toBe(said.isWritten);
    const asked = await run(['ask', 'How many farmers are there?', '--output', 'json']);
    expect(asked.code, asked.stderr).toBe(0);
  }, 240_000);

  it('is not held up by the forest of another version, which questions refuse', async () => {
    writeFileSync(own(), 'candor-trees 0');
    const asked = await run(['ask', 'How many farmers are there?']);
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain('boosting.model-invalid');
    expect(asked.stderr).toContain('Train the model again');
    const { code, stdout, stderr } = await train('--output', 'json');
    expect(code, stderr).toBe(0);
    expect(readFileSync(own(), 'utf8') === 'candor-trees 0').toBe(!JSON.parse(stdout).isWritten);
    rmSync(own());
  }, 240_000);

  it('stops with Ctrl-C and writes nothing', async () => {
    const controller = new AbortController();
    controller.abort();
    const { code, stdout } = await run(['train', 'engine'], { signal: controller.signal });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(existsSync(own())).toBe(false);
  });

  it.each([
    [['--out', 'models'], '--out and --limit go with --from'],
    [['--limit', '10'], '--out and --limit go with --from'],
    [['--from', 'spider-train'], '--from needs --out'],
    [['--from', 'bird', '--out', 'models'], 'Allowed choices are spider-train'],
    [['--from', 'spider-train', '--dry-run', '--limit', '0'], '--limit'],
    [['--seed', 'x'], '--seed'],
    [['--output', 'csv'], 'Allowed choices are table, json'],
    [['more'], 'too many arguments'],
  ])('refuses %j', async (argv, message) => {
    const { code, stdout, stderr } = await train(...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(existsSync(join(folder, 'models'))).toBe(false);
  });

  it('explains itself', async () => {
    const { code, stdout } = await train('--help');
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:\n  candor train engine --dry-run');
    expect(stdout).toContain('.candor/engine-readings.trees');
    expect((await run(['train', '--help'])).stdout).toMatch(/^ {2}engine /m);
  });
});

describe('candor train engine --from', () => {
  const from = (...argv: readonly string[]) =>
    run(['train', 'engine', '--quiet', '--from', 'spider-train', ...argv], {
      env: { CANDOR_DATA: join(folder, 'data') },
    });

  it('says where the data is expected', async () => {
    const { code, stderr } = await from('--dry-run');
    expect(code).toBe(3);
    expect(stderr).toContain('eval.data-missing');
    expect(stderr).toContain(join(folder, 'data', 'spider'));
  });

  describe('on small databases', () => {
    beforeAll(() => {
      const spider = join(folder, 'data', 'spider');
      mkdirSync(join(spider, 'database'), { recursive: true });
      const { cases } = makeTinySuite(spider);
      const rows = cases.flatMap(({ database, question, expect: due }) =>
        due.kind === 'answered' ? [{ db_id: database, question, query: due.sql }] : [],
      );
      for (const name of new Set(rows.map((row) => row.db_id))) {
        mkdirSync(join(spider, 'database', name));
        cpSync(join(spider, `${name}.db`), join(spider, 'database', name, `${name}.sqlite`));
      }
      writeFileSync(join(spider, 'train_spider.json'), JSON.stringify([...rows, ...rows]));
    });

    it('learns from as many questions as it is told, and writes the models', async () => {
      const argv = ['--limit', '100', '--out', 'models', '--output', 'json'];
      const { code, stdout, stderr } = await from(...argv);
      expect(code, stderr).toBe(0);
      const said = JSON.parse(stdout);
      expect(said.questions).toBe(100);
      const files = readdirSync(join(folder, 'models'));
      expect(files.sort()).toEqual(readdirSync('src/reasoning/grounded/rate/models').sort());
      const models = files.map((file) => readFileSync(join(folder, 'models', file)));
      expect(models.reduce((sum, { length }) => sum + length, 0)).toBe(said.bytes);
      for (const model of models) expect(model.toString()).toContain('spider-train, 100 questions');
    }, 240_000);

    it('says when there is too little to learn from', async () => {
      const { code, stderr } = await from('--limit', '9', '--dry-run');
      expect(code).toBe(2);
      expect(stderr).toContain('engine.too-few-questions');
    });
  });
});
