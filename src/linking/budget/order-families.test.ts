import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../../../test/fixtures/retrieval/small-catalog.ts';
import { indexTables } from '../../knowledge/retrieve/index.ts';
import type { LinkedItem } from '../schema/linked-schema.ts';
import { orderFamilies } from './order-families.ts';

const OTHERS = Array.from({ length: 20 }, (_, at) => `attic.box${'abcdefghijklmnopqrst'[at]}`);
const tables = indexTables(
  smallCatalog({
    'harbour.ferries': ['id'],
    'harbour.m_stop': ['id', 'ferry'],
    ...Object.fromEntries(OTHERS.map((name) => [name, [`in_${name.slice(-4)}`]])),
  }),
);

function order(tableOrder: readonly string[], items: readonly LinkedItem[] = []): string[] {
  return orderFamilies(items, { tables, opinion: { tableOrder } }).map(
    ({ members }) => members[0]?.table.id ?? '',
  );
}

function item(id: string, more: Partial<LinkedItem> = {}): LinkedItem {
  return { id, kind: 'table', because: [], tier: 'relevant', isAuto: false, score: 0.5, ...more };
}

describe('orderFamilies', () => {
  it('has a table beside a likely one before those of a schema that is less likely', () => {
    const ranked = ['harbour.ferries', ...OTHERS];
    expect(order([...ranked, 'harbour.m_stop']).indexOf('harbour.m_stop')).toBeLessThan(10);
    expect(order(ranked), 'in no list').toContain('harbour.m_stop');
  });

  it('has what a metric is made of first, and bridges behind the first twelve', () => {
    const metric = item('attic.boxt', { because: [{ kind: 'metric', text: 'dust' }] });
    const bridge = item('attic.boxs', { isAuto: true });
    const all = order(OTHERS, [metric, bridge]);
    expect(all[0]).toBe('attic.boxt');
    expect(all.indexOf('attic.boxs')).toBe(12);
  });

  it('raises what was linked', () => {
    expect(order(OTHERS, [item('attic.boxk')]).indexOf('attic.boxk')).toBeLessThan(3);
    expect(order(OTHERS).indexOf('attic.boxk')).toBe(10);
  });
});
