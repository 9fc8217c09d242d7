import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWholeProgram, type Io } from '../../../src/cli/index.ts';
import { makeShop } from './make-shop.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-cli-'));
  makeShop(join(folder, 'shop.db'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const QUESTION = 'how many customers are in Lyon?';
const run = (argv: readonly string[], given: Partial<Io> = {}) => runCandor(argv, folder, given);

describe('a password in a URL', () => {
  it.each([
    ['postgres://reader:s3cret@db/shop', 'database: "postgres://reader@db/shop"', /not in candor\.yml/],
    [
      'postgres://reader:$' + '{SHOP_PW}@db/shop',
      'database: "postgres://reader:$' + '{SHOP_PW}@db/shop"',
      /^\nNext/,
    ],
  ])('%s is kept out of candor.yml unless it is a variable', async (url, line, says) => {
    const project = mkdtempSync(join(folder, 'secret-'));
    const { code, stderr } = await run(['init', '--project', project, url]);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(says);
    const text = readFileSync(join(project, 'candor.yml'), 'utf8');
    expect(text).toContain(line);
    expect(text).not.toContain('s3cret');
  });
});

describe('a first day with one database', () => {
  it('onboard reads it and writes a project', async () => {
    const { code, stdout, stderr } = await run(['onboard', 'sqlite:shop.db']);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/tables +2\n/);
    expect(stdout).toMatch(/columns +7\n/);
    expect(stdout).toMatch(/rows +18\n/);
    expect(stdout).toMatch(/foreign keys declared +1\n/);
    expect(stdout).toContain('There was no project here; wrote');
    expect(stderr).toContain('profiling …');
    expect(stderr).toContain('Next: candor ask');
    expect(readFileSync(join(folder, 'candor.yml'), 'utf8')).toContain('database: "sqlite:shop.db"');
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('.candor/\n');
  });

  it('onboard again reads nothing again and writes nothing again', async () => {
    const { stdout } = await run(['onboard', '--output', 'json', '--quiet']);
    expect(JSON.parse(stdout)).toMatchObject({
      tables: 2,
      rows: 18,
      declaredKeys: 1,
      reused: true,
      written: [],
    });
  });

  it('ask prints a card', async () => {
    const { code, stdout } = await run(['ask', ...QUESTION.split(' ')]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/\n +3\n/);
    expect(stdout).toContain('1 row');
    expect(stdout).toMatch(/candor replay [\w-]+/);
  });

  it('ask prints JSON, CSV and SQL for scripts', async () => {
    const json = await run(['ask', '--output', 'json', QUESTION]);
    const answer = JSON.parse(json.stdout);
    expect(answer).toMatchObject({ kind: 'answered', question: QUESTION, rows: [[3]], truncatedBy: null });
    const csv = await run(['ask', '--output', 'csv', '--quiet', QUESTION]);
    expect(csv.stdout).toMatch(/^[^\r\n]+\r\n3\r\n$/);
    expect(csv.stderr).toBe('');
    const sql = await run(['ask', '--sql-only', QUESTION]);
    expect(sql.stdout).toBe(`${answer.sql}\n`);
    const database = new DatabaseSync(join(folder, 'shop.db'), { readOnly: true });
    expect(Object.values(database.prepare(sql.stdout).get() ?? {})).toEqual([3]);
    database.close();
  });

  it('--no-execute writes the SQL and runs nothing', async () => {
    const { code, stdout } = await run(['ask', '--no-execute', QUESTION]);
    expect(code).toBe(0);
    expect(stdout).toContain('not executed');
    expect(stdout).not.toContain('1 row');
  });

  it('--limit bounds the rows and says so', async () => {
    const { stdout } = await run(['ask', '--output', 'json', '--limit', '2', 'list all customers']);
    const answer = JSON.parse(stdout);
    expect(answer.rows).toHaveLength(2);
    expect(answer.truncatedBy).toBe('rows');
  });

  it('with CSV or --sql-only a refusal goes to stderr', async () => {
    for (const flag of ['--output=csv', '--sql-only']) {
      const { code, stdout, stderr } = await run(['ask', flag, 'delete all customers']);
      expect({ code, stdout }).toEqual({ code: 12, stdout: '' });
      expect(stderr).toContain('Candor only reads');
    }
  });

  it('replay lists what was asked and finds it the same', async () => {
    const list = await run(['replay', '--list', '--output', 'json']);
    const records = JSON.parse(list.stdout);
    expect(records.length).toBeGreaterThan(3);
    const record = records.find((entry: { kind: string; question: string }) => entry.question === QUESTION);
    const again = await run(['replay', record.id]);
    expect({ code: again.code, out: again.code === 0 ? '' : again.stdout }).toEqual({ code: 0, out: '' });
    expect(again.stdout).toContain('the same as recorded');
  });

  it('replay says what differs after the data changed', async () => {
    const asked = await run(['ask', '--output', 'json', 'how many customers are in Nice?']);
    const { recordId } = JSON.parse(asked.stdout);
    const database = new DatabaseSync(join(folder, 'shop.db'));
    database.exec("UPDATE customers SET city = 'Nice' WHERE id = 2");
    database.close();
    const { code, stdout } = await run(['replay', '--output', 'json', recordId]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      same: false,
      differences: [expect.stringContaining('result')],
    });
  });

  it('doctor finds all well, then says what is wrong', async () => {
    const well = await run(['doctor', '--output', 'json']);
    const { findings } = JSON.parse(well.stdout);
    expect({ code: well.code, findings }).toMatchObject({ code: 0 });
    expect(findings.map(({ name }: { name: string }) => name)).toEqual([
      'node',
      'parser',
      'project',
      'files',
      'model',
      'risk',
      'database',
      'read-only',
      'own code',
      'catalog',
      'semantic model',
      'examples',
    ]);
    const other = join(folder, 'broken');
    mkdirSync(other);
    writeFileSync(join(other, 'candor.yml'), 'database: sqlite:gone.db\n');
    const broken = await run(['doctor', '--project', 'broken']);
    expect(broken.code).toBe(3);
    expect(broken.stdout).toMatch(/problem +database +database\.not-found/);
    expect(broken.stdout).toContain('→ ');
  });
});

describe('a person at a terminal', () => {
  const terminal = (written: string[]): Io['stdout'] => ({
    write: (text) => void written.push(text),
    isTerminal: true,
    columns: 80,
  });

  it('gets colour, unless NO_COLOR is set', async () => {
    const coloured: string[] = [];
    await run(['ask', QUESTION], { stdout: terminal(coloured) });
    expect(coloured.join('')).toContain('\u001b[1m');
    const plain: string[] = [];
    await run(['ask', QUESTION], { stdout: terminal(plain), env: { NO_COLOR: '1' } });
    expect(plain.join('')).not.toContain('\u001b[');
  });

  it('who presses Ctrl-C gets exit code 130', async () => {
    const controller = new AbortController();
    controller.abort();
    const { code, stdout, stderr } = await run(['ask', QUESTION], { signal: controller.signal });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('cancelled');
  });
});

describe('init', () => {
  it('writes a project that works as it is, and never overwrites one', async () => {
    const { code, stdout } = await run(['init', '--project', 'fresh', 'sqlite:shop.db']);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toEqual([
      'semantics/model.yml',
      'knowledge/README.md',
      'examples/README.md',
      'tests/README.md',
      '.gitignore',
      'candor.yml',
    ]);
    const asked = await run(['ask', '--project', 'fresh', '--output', 'json', QUESTION]);
    expect(JSON.parse(asked.stdout)).toMatchObject({ kind: 'answered' });
    const settings = readFileSync(join(folder, 'fresh', 'candor.yml'), 'utf8');
    const again = await run(['init', '--project', 'fresh', 'sqlite:other.db']);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('config.exists');
    expect(readFileSync(join(folder, 'fresh', 'candor.yml'), 'utf8')).toBe(settings);
  });

  it('keeps a .gitignore and adds its line once', async () => {
    const place = join(folder, 'ignored');
    mkdirSync(place);
    writeFileSync(join(place, '.gitignore'), 'dist/');
    await run(['init', '--project', 'ignored', 'sqlite:shop.db']);
    expect(readFileSync(join(place, '.gitignore'), 'utf8')).toBe('dist/\n.candor/\n');
  });
});

describe('help', () => {
  it('is printed without a command, and says what the exit codes mean', async () => {
    const { code, stdout } = await run([]);
    expect(code).toBe(0);
    const help = await run(['--help']);
    expect(help.stdout).toContain('Exit codes:');
    expect(help.stdout.startsWith(stdout.slice(0, 40))).toBe(true);
  });

  it('of every command has a description and an example that parses', async () => {
    const io = {
      stdout: { write: () => {}, isTerminal: false },
      stderr: { write: () => {}, isTerminal: false },
    };
    const program = await buildWholeProgram({
      io: { ...io, cwd: folder, program: 'candor', signal: new AbortController().signal },
      finish: () => {},
    });
    expect(program.commands.map((command) => command.name())).toEqual([
      'demo',
      'init',
      'onboard',
      'ask',
      'chat',
      'explain',
      'sql',
      'serve',
      'work',
      'jobs',
      'mcp',
      'users',
      'review',
      'fix',
      'catalog',
      'profile',
      'project',
      'search',
      'link',
      'knowledge',
      'usage',
      'train',
      'replay',
      'doctor',
      'test',
      'eval',
      'bench',
      'reward',
    ]);
    // What the start lists before a command is imported is what the command is.
    const listed = (await run(['--help'])).stdout;
    expect(listed.startsWith(program.helpInformation())).toBe(true);
    for (const command of program.commands) {
      const { code, stdout } = await run([command.name(), '--help']);
      expect(code).toBe(0);
      expect(command.description().length).toBeGreaterThan(20);
      expect(stdout, command.name()).toMatch(new RegExp(`Examples:\\n  candor ${command.name()}`));
    }
  });

  it('--version prints the version of package.json', async () => {
    const { stdout } = await run(['--version']);
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(stdout).toBe(`${version}\n`);
    expect(existsSync(join(folder, 'candor-demo'))).toBe(false);
  });
});
