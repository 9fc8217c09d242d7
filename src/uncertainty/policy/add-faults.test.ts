import { describe, expect, it } from 'vitest';
import { SINGER_FACTS, singerQuery } from '../../../test/fixtures/uncertainty/singers.ts';
import type { Assessment } from '../node-risk.ts';
import { addFaults } from './add-faults.ts';
import { certainFaults } from './certain-faults.ts';

/** As if a model thought that nothing is wrong. */
function trusted(sql: string, probability = 0.1): Assessment {
  const nodes = singerQuery(sql).tree.nodes.map(({ id, type }) => ({
    node: id,
    type,
    probability,
    reasons: [],
  }));
  return { sql, nodes, units: [], queryRisk: 0.2 };
}

function withFaults(sql: string): Assessment {
  const query = singerQuery(sql);
  return addFaults(trusted(sql), certainFaults(query, SINGER_FACTS), query);
}

describe('addFaults', () => {
  it('makes what the engine would refuse certain, whatever the model says', () => {
    const { units, queryRisk } = withFaults('SELECT nmae FROM singer');
    expect(queryRisk).toBe(1);
    expect(units).toMatchObject([{ text: 'nmae', probability: 1, reasons: [{ feature: 'unknown-column' }] }]);
  });

  it('shows a fault that runs, and leaves the risk of the whole as it was measured', () => {
    const { units, queryRisk } = withFaults("SELECT name FROM singer WHERE country = 'france'");
    expect(queryRisk).toBe(0.2);
    expect(units).toMatchObject([
      { text: "'france'", probability: 0.3, reasons: [{ feature: 'unseen-literal' }] },
    ]);
  });

  it('keeps what the model says where it says more', () => {
    const sql = "SELECT name FROM singer WHERE country = 'france'";
    const query = singerQuery(sql);
    const { units } = addFaults(trusted(sql, 0.7), certainFaults(query, SINGER_FACTS), query);
    expect(units.find(({ text }) => text === "'france'")?.probability).toBe(0.7);
  });

  it('changes nothing where nothing is certain, or nothing was read', () => {
    const sql = 'SELECT name FROM singer';
    const sound = trusted(sql);
    expect(addFaults(sound, [], singerQuery(sql))).toBe(sound);
    const unread = { ...sound, unreadBecause: 'too large' };
    const query = singerQuery('SELECT nmae FROM singer');
    expect(addFaults(unread, certainFaults(query, SINGER_FACTS), query)).toBe(unread);
  });
});
