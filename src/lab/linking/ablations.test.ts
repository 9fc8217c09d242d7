import { describe, expect, it } from 'vitest';
import { EVILINK_DEFAULTS, LINK_DEFAULTS } from '../../linking/index.ts';
import { ABLATION_NAMES, ABLATIONS, ablate, readAblations } from './ablations.ts';
import { GROUNDED_MODES, groundedLinker } from './linkers/grounded-linker.ts';
import { buildCatalog } from './sets/build-catalog.ts';

describe('the names', () => {
  it.each(ABLATION_NAMES)('%s changes something in each of its ways', (name) => {
    const { settings, retrieval, withoutValues, withoutHint } = ablate([name]);
    const changes = [
      settings(LINK_DEFAULTS) !== LINK_DEFAULTS,
      Object.keys(retrieval).length > 0,
      withoutValues,
      withoutHint,
    ];
    expect(changes).toContain(true);
    for (const mode of ABLATIONS[name].modes) expect(readAblations([name], mode)).toEqual([name]);
  });

  it.each([
    ['value', 'votes', 'near it: values'],
    ['colour of the sky', 'votes', 'known are hint, values'],
    ['multi', 'filter', 'the way filter has no multi to switch off; it is of votes'],
    ['hint', 'full', 'the way full has no hint'],
  ] as const)('%s for %s: %s', (name, mode, message) => {
    expect(() => readAblations([name], mode)).toThrow(message);
  });

  it('add up', () => {
    const { settings } = ablate(['multi', 'refine']);
    expect(settings(LINK_DEFAULTS).evilink).toEqual({ ...EVILINK_DEFAULTS, kmax: 1, useRefinement: false });
  });
});

describe('a way that does without', () => {
  const table = (name: string, columns: string) => ({
    name,
    columns: columns.split(' ').map((column) => ({ name: column, type: 'TEXT' })),
    primaryKey: ['id'],
  });
  const catalog = buildCatalog('shop', 'sqlite', {
    tables: [
      table('customers', 'id name city'),
      table('orders', 'id day total'),
      table('planets', 'id mass'),
    ],
    keys: [],
  });
  const link = async (question: string, hint: string, without: Parameters<typeof ablate>[0]) => {
    const linker = groundedLinker('votes', GROUNDED_MODES.votes, { cacheDirectory: 'out', without });
    const opened = await linker.open({ name: 'shop', catalog }, undefined);
    const linked = await opened.link({ id: '1', database: 'shop', question, hint }, undefined);
    await opened.close();
    return { mode: linker.mode, tables: [...linked.tables] };
  };

  it('the hint does not hear of it, and says so in its name', async () => {
    const whole = await link('how heavy are they?', 'mass of planets', []);
    const bare = await link('how heavy are they?', 'mass of planets', ['hint']);
    const unhinted = await link('how heavy are they?', '', []);
    expect([whole.mode, bare.mode]).toEqual(['votes', 'votes without hint']);
    expect(whole.tables).toContain('planets');
    expect(bare.tables).toEqual(unhinted.tables);
    expect(bare.tables).not.toEqual(whole.tables);
  });
});
