import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMotorsProject } from './make-motors-project.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(async () => {
  folder = await makeMotorsProject('link');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const candor = (...argv: readonly string[]) => runCandor(['link', ...argv, '--quiet'], folder);

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly because: readonly { readonly kind: string; readonly text: string }[];
  readonly isAuto: boolean;
}

const linkJson = async (...argv: readonly string[]) => {
  const { code, stdout, stderr } = await candor(...argv, '--output', 'json');
  expect(code, stderr).toBe(0);
  const { question, linked } = JSON.parse(stdout);
  return {
    question,
    linked,
    ids: linked.items.map(({ id }: Item) => id),
    items: linked.items as readonly Item[],
  };
};

describe('candor link', () => {
  it('leaves a small schema whole and says where to look', async () => {
    const { linked, ids } = await linkJson('how many test drives per dealer');
    expect(linked.mode).toBe('full');
    expect(linked.why.join()).toContain('the whole schema fits');
    expect(ids).toContain('test_drives');
    expect(ids).toContain('dealers');
    expect(linked.tables.length).toBeGreaterThan(ids.filter((id: string) => !id.includes('.')).length);
  });

  it('filters to tables, columns and join paths, each with a reason', async () => {
    const { linked, ids, items } = await linkJson(
      '--mode',
      'filter',
      'test drives per dealer in silver lake',
    );
    expect(ids).toEqual(
      expect.arrayContaining(['areas.city_name', 'test_drives.dealer_id', 'dealers.dealer_id']),
    );
    expect(linked.tables.length).toBeLessThan(10);
    for (const { because } of items) expect(because.length).toBeGreaterThan(0);
    const city = items.find(({ id }) => id === 'areas.city_name');
    expect(city?.because).toContainEqual({ kind: 'value', text: '“silver lake” is stored in it' });
  });

  it('has what a metric of the question is made of', async () => {
    const { items } = await linkJson('--mode', 'filter', 'revenue per brand');
    const amount = items.find(({ id }) => id === 'orders.amount');
    expect(amount?.because[0]).toEqual({ kind: 'metric', text: 'the metric revenue is made of it' });
    const bridge = items.find(({ kind, isAuto }) => isAuto && kind === 'table');
    expect(bridge).toBeDefined();
  });

  it('lets readings vote and shows the votes', async () => {
    const { code, stdout, stderr } = await candor(
      '--mode',
      'evilink',
      '--explain',
      'how many orders per dealer',
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/votes +bucket +score/);
    expect(stdout).toContain('h1  what words, keys and stored values of the schema speak for');
    expect(stdout).toMatch(/h2 {2}SELECT/);
    expect(stdout).toContain('probe_sql');
  });

  it('prints the schema as a prompt would hold it, the same for the same seed', async () => {
    const argv = ['--mode', 'filter', '--schema', 'xiyan', '--seed', '7', 'orders per dealer'];
    const [one, two] = [await candor(...argv), await candor(...argv)];
    expect(one.stdout).toBe(two.stdout);
    expect(one.stdout).toContain('【Schema】');
    expect(one.stdout).toContain('# Table: dealers');
  });

  it('goes on from an earlier question, and takes a hint', async () => {
    const { question } = await linkJson('only 2024', '--after', 'how many orders per month');
    expect(question).toMatchObject({ isRewritten: true, original: 'only 2024' });
    expect(question.question).toContain('orders per month');
    const { ids } = await linkJson(
      '--mode',
      'filter',
      '--hint',
      'late: delivered_on > signed_on',
      'how many were late',
    );
    expect(ids).toEqual(expect.arrayContaining(['orders.delivered_on', 'orders.signed_on']));
  });

  it.each([
    [['  '], 2, 'There is no question to link'],
    [['--mode', 'best', 'orders'], 2, 'Allowed choices are auto, full, filter, evilink, rankers'],
    [['--schema', 'json', 'orders'], 2, 'Allowed choices are thoth, xiyan, ddl'],
  ])('refuses %o', async (argv, exit, message) => {
    const { code, stdout, stderr } = await candor(...argv);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('says why a text is no question', async () => {
    const { code, stdout } = await candor('?!');
    expect(code).toBe(12);
    expect(stdout).toContain('Not linked');
  });
});
