import { describe, expect, it } from 'vitest';
import { SINGER_FACTS, singerQuery } from '../../../test/fixtures/uncertainty/singers.ts';
import { type CertainFault, certainFaults } from '../../faults/index.ts';
import { featureSpace, readFeatures } from '../features/feature-space.ts';
import { unitsOf } from '../units/highlight-units.ts';
import type { Assessment } from '../units/node-risk.ts';
import { unitRisks } from '../units/unit-risks.ts';
import { addFaults, raiseForDefinitions } from './add-faults.ts';
import { decidingRisk } from './fault-precision.ts';

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

const SPACE = featureSpace(['schema', 'lexical', 'context']);

/** As if every node were likely wrong, and everything a feature can say of a node a reason. */
function outspoken(sql: string): Assessment {
  const query = singerQuery(sql);
  const { nodes } = query.tree;
  const values = readFeatures(query, { schema: SINGER_FACTS }, SPACE);
  const reasonsOf = (node: number) =>
    SPACE.features.flatMap(({ name, tell }, at) => {
      const text = tell?.(values[node * SPACE.features.length + at] ?? 0, nodes[node]);
      return text === undefined ? [] : [{ feature: name, text, weight: 1 }];
    });
  const risks = nodes.map(() => 0.9);
  return { ...trusted(sql, 0.9), units: unitRisks(unitsOf(query), risks, { reasonsOf }) };
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

  it('gives a fault that runs the risk that was counted for it, and the whole no less', () => {
    const { units, queryRisk } = withFaults("SELECT name FROM singer WHERE country = 'france'");
    expect(queryRisk).toBeCloseTo(733 / 752, 12);
    expect(units).toMatchObject([
      { text: "'france'", probability: queryRisk, reasons: [{ feature: 'unseen-literal' }] },
    ]);
  });

  it('marks what is counted wrong too seldom, and the whole is no less suspicious than its part', () => {
    const { units, queryRisk } = withFaults("SELECT name FROM singer WHERE age = 'old'");
    expect(queryRisk).toBe(0.3);
    expect(units).toMatchObject([{ probability: 0.3, reasons: [{ feature: 'type-clash' }] }]);
  });

  it('keeps what the model says where it says more', () => {
    const sql = "SELECT name FROM singer WHERE age = 'old'";
    const query = singerQuery(sql);
    const { units } = addFaults(trusted(sql, 0.7), certainFaults(query, SINGER_FACTS), query);
    expect(Math.max(...units.map(({ probability }) => probability))).toBe(0.7);
  });

  it.each<[fault: Partial<CertainFault>, risk: number | undefined]>([
    [{ kind: 'unseen-literal', isSpelling: true }, 733 / 752],
    [{ kind: 'unseen-literal' }, undefined],
    [{ kind: 'wrong-join' }, 265 / 282],
    [{ kind: 'missing-group-by' }, undefined],
    [{ kind: 'unknown-column', isRefused: true }, 1],
  ])('lets %o decide with a risk of %d', (parts, risk) => {
    const fault = {
      kind: 'type-clash',
      node: 1,
      span: { start: 0, end: 1 },
      text: '',
      isRefused: false,
    } as const;
    expect(decidingRisk({ ...fault, instead: [], ...parts })).toBe(risk);
  });

  it.each<[sql: string, reasons: readonly string[]]>([
    ['SELECT name FROM singers', ['there is no table singers', 'one letter away from a name that exists']],
    ['SELECT s.name FROM singer AS t', ['no table here goes by s']],
    [
      'SELECT nmae FROM singer',
      ['no table here has a column nmae', '2 letters away from a name that exists'],
    ],
    [
      'SELECT t.nmae FROM singer AS t',
      ['no table here has a column t.nmae', '2 letters away from a name that exists'],
    ],
    [
      'SELECT id FROM singer JOIN concert ON singer.id = singer_id',
      ['several tables here have a column id', '3 tables have a column of this name'],
    ],
    ["SELECT name FROM singer WHERE age = 'old'", ['it is of another type than what it is compared with']],
    ['SELECT country, COUNT(*) FROM singer', ['it stands beside an aggregate and nothing groups by it']],
    ["SELECT name FROM singer WHERE country = 'france'", ['the column has this value in another spelling']],
    ["SELECT name FROM singer WHERE country = 'Italy'", ['the column has no such value']],
  ])('says the fault of %s once, beside what else speaks against it', (sql, reasons) => {
    const query = singerQuery(sql);
    const faults = certainFaults(query, SINGER_FACTS);
    const { units } = addFaults(outspoken(sql), faults, query);
    const faulty = units.find(({ nodes }) => nodes.includes(faults[0]?.node ?? -1));
    expect(faulty?.reasons.map(({ text }) => text)).toEqual(reasons);
  });

  it('each broken definition halves what is left of being right', () => {
    const sound = { ...trusted('SELECT name FROM singer'), queryRisk: 0.5 };
    const risks = [[], ['one'], ['one', 'two']].map((broken) => raiseForDefinitions(sound, broken).queryRisk);
    expect(risks).toEqual([0.5, 0.9, 0.95]);
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
