import { describe, expect, it } from 'vitest';
import { THING_FACTS, thingCatalog } from '../../../../test/fixtures/uncertainty/thing-set.ts';
import { makeScorer } from '../../../boosting/index.ts';
import { COLUMN_FEATURES, prepareLinker, TABLE_FEATURES } from '../../../reasoning/grounded/linking/index.ts';
import { rankSchema } from '../../../reasoning/grounded/linking/rank-schema.ts';
import { trainLinker } from './train-linker.ts';
import { toTrainingCase } from './training-case.ts';

describe('trainLinker', () => {
  it('learns from the questions of some databases what those of another need', async () => {
    const cases = [0, 1, 2, 3].flatMap((offset) => {
      const catalog = thingCatalog(offset);
      const linker = prepareLinker(catalog);
      return catalog.tables.flatMap(({ name }) =>
        THING_FACTS.map((fact) =>
          toTrainingCase(
            {
              id: `${offset} ${name} ${fact}`,
              database: catalog.database,
              question: `What is the ${fact} of every ${name}?`,
              hint: '',
              goldTables: new Set([name]),
              goldFields: new Set([`${name}.${fact}`]),
            },
            linker,
            { fold: offset % 2, weight: 1 },
          ),
        ),
      );
    });
    const stages = new Set<string>();
    const { first, second, table, rows } = await trainLinker(cases, {
      folds: 2,
      onProgress: (stage) => stages.add(stage),
    });
    expect(first.features).toEqual(COLUMN_FEATURES);
    expect(second.features.length).toBeGreaterThan(first.features.length);
    expect(table.features).toEqual(TABLE_FEATURES);
    expect(rows.table).toBe((4 * 4 * cases.length) / 4);
    expect([...stages]).toEqual(['first opinions', 'forest', 'second opinions', 'tables']);

    const linker = prepareLinker(thingCatalog(4));
    const forests = { first: makeScorer(first), second: makeScorer(second), table: makeScorer(table) };
    const asked = { id: 'x', database: 'd4', question: 'What is the length of every lamp?', hint: '' };
    const unseen = toTrainingCase({ ...asked, goldTables: new Set(['lamp']), goldFields: null }, linker, {
      fold: 0,
      weight: 1,
    });
    expect(unseen.columns).toBeNull();
    const ranking = rankSchema(unseen.asked, linker.schema, forests);
    const best = linker.schema.columns.toSorted(
      (left, right) => (ranking.columns[right.index] ?? 0) - (ranking.columns[left.index] ?? 0),
    );
    expect(best[0]?.column.id).toBe('lamp.length');
    const lamp = linker.schema.tables.find(({ name }) => name === 'lamp')?.index ?? -1;
    expect(ranking.tables[lamp]).toBe(Math.max(...ranking.tables));
  });

  it('stops when it is told to', async () => {
    const stopped = AbortSignal.abort(new Error('enough'));
    const linker = prepareLinker(thingCatalog(0));
    const asked = {
      id: 'x',
      database: 'd0',
      question: 'cars',
      hint: '',
      goldTables: new Set(['car']),
      goldFields: null,
    };
    const cases = [toTrainingCase(asked, linker, { fold: 0, weight: 1 })];
    await expect(trainLinker(cases, { folds: 2, signal: stopped })).rejects.toThrow('enough');
  });
});
