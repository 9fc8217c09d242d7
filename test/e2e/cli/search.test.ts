import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMotorsProject } from './make-motors-project.ts';
import { runCandor } from './run-candor.ts';

let folder: string;
beforeAll(async () => {
  folder = await makeMotorsProject('search');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const search = async (what: string, text: string, ...flags: readonly string[]) => {
  const { code, stdout, stderr } = await runCandor(
    ['search', what, text, '--output', 'json', ...flags],
    folder,
  );
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

describe('candor search', () => {
  it.each([
    ['Kestrel', 'brands.brand_name', 'exact'],
    ['kestrell', 'brands.brand_name', 'similar'],
    ['silver lake', 'areas.city_name', 'folded'],
  ])('values finds %s in %s: %s', async (text, column, match) => {
    const { values } = await search('values', text);
    const [first] = values.filter(({ item }: { item: { columnId: string } }) => item.columnId === column);
    expect(first.item.values[0].match).toBe(match);
  });

  it('tables ranks what the question needs first, with reasons', async () => {
    const { tables } = await search('tables', 'test drives per dealer');
    const ids = tables.slice(0, 3).map(({ item }: { item: { tableId: string } }) => item.tableId);
    expect(ids).toContain('test_drives');
    expect(ids).toContain('dealers');
    expect(tables[0].because.join()).toContain('its name has words of the question: test, drive');
  });

  it('tables puts those first that a metric or dimension of the question is defined on', async () => {
    const { tables } = await search('tables', 'revenue by region');
    expect(tables[0]).toMatchObject({ item: { tableId: 'orders' }, score: 1 });
    expect(tables[0].because[0]).toBe('revenue is defined on it');
    expect(tables[1].item.tableId).toBe('provinces');
  });

  it('tables finds none by words that nothing here knows, and says so', async () => {
    const { tables, warnings } = await search('tables', 'xylophone qwertz', '--no-vectors');
    expect(tables).toEqual([]);
    expect(warnings[0]).toBe('no name, description, note or definition of a table has a word of these');
  });

  it('notes, verified pairs and metrics are found by their words', async () => {
    const { notes } = await search('notes', 'fiscal year of april');
    expect(notes[0].item.place).toBe('knowledge/time.md:3');
    const { examples } = await search('examples', 'lead win rate by channel in 2023');
    expect(examples[0].item.pair.file).toBe('lead-win-rate-by-channel-2023.sql');
    const { metrics } = await search('metrics', 'revenue');
    expect(metrics[0].item.name).toBe('revenue');
  });

  it('says what a limit hides', async () => {
    const { stdout } = await runCandor(['search', 'tables', 'orders', 'by', 'brand', '--limit', '2'], folder);
    expect(stdout).toMatch(/tables, 2 shown: raise --limit/);
  });

  it('finds a note right after it was written, and not after it is gone', async () => {
    const note = join(folder, 'knowledge', 'tow-bars.md');
    writeFileSync(note, '# Tow bars\n\n- Tow bars are sold by the workshop, not with the car.\n');
    expect((await search('notes', 'who sells tow bars?')).notes[0].item.place).toBe(
      'knowledge/tow-bars.md:3',
    );
    rmSync(note);
    const { notes } = await search('notes', 'who sells tow bars?');
    expect(notes.filter(({ item }: { item: { place: string } }) => item.place.includes('tow'))).toEqual([]);
  });

  it('refuses words that are none', async () => {
    const { code, stderr } = await runCandor(['search', 'tables', ' '], folder);
    expect(code).toBe(2);
    expect(stderr).toContain('There are no words to search for.');
  });

  it('refuses a kind it does not know', async () => {
    const { code, stderr } = await runCandor(['search', 'dashboards', 'x'], folder);
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are values, tables, columns, notes, examples, metrics');
  });
});

describe('a table that is gone from what may be seen', () => {
  it('is not found, nor are its columns, values, notes and pairs', async () => {
    const hidden = mkdtempSync(join(tmpdir(), 'candor-hidden-'));
    cpSync(folder, hidden, { recursive: true });
    rmSync(join(hidden, '.candor'), { recursive: true });
    writeFileSync(
      join(hidden, 'semantics', 'policy.yml'),
      `semantic_model:
  - name: policy
    datasets:
      - name: rows of brands
        source: brands
        custom_extensions: [{vendor_name: CANDOR, data: {row_filter: brands.brand_id = 1}}]
`,
    );
    rmSync(join(hidden, 'semantics', 'motors.yml'));
    expect((await runCandor(['onboard'], hidden)).code).toBe(0);
    expect(existsSync(join(hidden, '.candor', 'search.sqlite'))).toBe(true);
    const { stdout } = await runCandor(['search', 'values', 'Kestrel', '--output', 'json'], hidden);
    const columns = JSON.parse(stdout).values.map(
      ({ item }: { item: { columnId: string } }) => item.columnId,
    );
    expect(columns).not.toContain('brands.brand_name');
    rmSync(hidden, { recursive: true });
  });
});
