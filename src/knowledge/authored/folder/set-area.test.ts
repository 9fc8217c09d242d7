import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../../test/fixtures/code-of.ts';
import type { ProductArea } from '../authored.ts';
import { readAuthored } from './read-authored.ts';
import { setArea } from './set-area.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-area-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (text: string) => writeFile(join(folder, 'areas.yml'), text);
const text = () => readFile(join(folder, 'areas.yml'), 'utf8');
const areas = async () => (await readAuthored(folder)).areas;
const area = (id: string, more: Partial<ProductArea> = {}): ProductArea => ({
  ...{ id, name: id, members: [], includeTables: [], excludeTables: [] },
  ...more,
});

describe('setArea', () => {
  it('makes the file, and adds to it', async () => {
    await setArea(folder, area('sales', { name: 'Sales', includeTables: ['orders'] }));
    await setArea(folder, area('service'));
    expect(await areas()).toEqual([
      area('sales', { name: 'Sales', includeTables: ['orders'] }),
      area('service'),
    ]);
  });

  it('changes what differs, and leaves comments and spelling', async () => {
    await write(`# head
areas:
  sales:   # ours
    members: [ada]
    include_tables:
      - Orders   # all of them
      - fx_rates
  other: { members: [ben] }
`);
    await setArea(
      folder,
      area('sales', { name: 'Sales', members: ['ada'], includeTables: ['orders', 'tax'] }),
    );
    const changed = await text();
    expect(changed).toContain('- Orders # all of them\n      - tax\n');
    for (const kept of ['# head', '# ours', 'members: [ada]', 'name: Sales', 'ben'])
      expect(changed).toContain(kept);
    expect(changed).not.toContain('fx_rates');
  });

  it('reads back whatever is written', async () => {
    const word = fc
      .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
      .filter((one) => one.trim() === one);
    const names = fc.uniqueArray(
      word.map((one) => one.toLowerCase()),
      { maxLength: 4 },
    );
    const one = fc.record({ name: word, members: names, includeTables: names, excludeTables: names });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 4 }), async (changes) => {
        await write('areas:\n  old: {members: [zoe]}\n');
        for (const change of changes) {
          await setArea(folder, area('new', change));
          expect(await areas()).toEqual([area('old', { members: ['zoe'] }), { id: 'new', ...change }]);
        }
      }),
      { numRuns: 40, seed: 7 },
    );
  });

  it.each([
    ['an id with signs', 'areas: {}\n', 'a b', 'knowledge.refused'],
    ['a name of JavaScript', 'areas: {}\n', '__proto__', 'knowledge.refused'],
    ['a faulty file', 'areas: [1]\n', 'sales', 'knowledge.invalid'],
  ])('refuses %s, and leaves the file', async (_, before, id, code) => {
    await write(before);
    expect(await codeOf(setArea(folder, area(id, { includeTables: ['orders'] })))).toBe(code);
    expect(await text()).toBe(before);
  });
});
