import { expect, it } from 'vitest';
import { thingSet } from '../../../../test/fixtures/uncertainty/thing-set.ts';
import { formSchemaOpinion, prepareLinker } from '../../../reasoning/grounded/linking/index.ts';
import { trainHalfLinkers } from './half-linkers.ts';

const set = thingSet('things');

/** The database's questions with words of no meaning, so that only who was trained on them can answer. */
async function opinionAfter(secretIn: string): Promise<number> {
  const cases = set.cases.map((each) =>
    each.database === secretIn ? { ...each, question: 'Tell me all.', hint: '' } : each,
  );
  const forestsOf = await trainHalfLinkers([{ ...set, cases }], { every: 2, seed: 1 });
  const linker = prepareLinker(set.databases.get('d0')?.catalog ?? never());
  const opinion = formSchemaOpinion({ question: 'What is the price?' }, linker, forestsOf('things', 'd0'));
  return opinion.columnProbability('car.price');
}

const never = (): never => {
  throw new Error('the set has no database d0');
};

it('takes the opinion on a database from the ranker that has not seen it', async () => {
  const as = await opinionAfter('none');
  expect(await opinionAfter('d0')).toBe(as);
  expect(await opinionAfter('d1')).not.toBe(as);
});
