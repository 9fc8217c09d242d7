/** What asks for nothing in the data, or for what no data tells, gets a reply of its own; what it offers has an answer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../src/answering/index.ts';
import { type OpenSuite, openSuite } from './open-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'candor-talk-'));
let suite: OpenSuite | null = null;
beforeAll(async () => {
  suite = await openSuite('motors', folder);
});
afterAll(async () => {
  if (suite !== null) await suite.session.close();
  rmSync(folder, { recursive: true, force: true });
});

const HELP = /^I answer questions about this database .* It has the figures /;
const WHY = /^I can tell what happened, not why\./;
const FORECAST = /^I make no forecasts\. The data ends on 20\d\d-\d\d-\d\d\./;
const LANGUAGE = 'The built-in engine reads English; with a model other languages work.';

describe('talk', () => {
  it.each<[question: string, kind: 'clarify' | 'reject', said: RegExp | string]>([
    ['hello, what can you do?', 'clarify', HELP],
    ['Help!', 'clarify', HELP],
    ['hi there', 'clarify', HELP],
    ['what kind of data do you have?', 'clarify', HELP],
    ['Who are you?', 'clarify', HELP],
    ['why did orders drop in March?', 'clarify', WHY],
    ['What caused the decline of deliveries in 2023?', 'clarify', WHY],
    ['what will orders be next year?', 'clarify', FORECAST],
    ['predict deliveries for next month', 'clarify', FORECAST],
    ['How many orders will we get in the next quarter?', 'clarify', FORECAST],
    ['Wie viele Kunden haben wir?', 'reject', LANGUAGE],
    ['我们有多少客户？', 'reject', LANGUAGE],
    ['should we close this dealer?', 'reject', /no opinions/],
    ['tell me a joke', 'reject', /not about what this database holds/],
    ['asdfgh qwrtzp', 'reject', /letters at random/],
  ])('%s', async (question, kind, said) => {
    if (suite === null) throw new Error('Motors needs no data and is made when it is missing');
    const { session, now } = suite;
    const answer = await ask(question, session, { now, record: false, related: false });
    expect(answer.kind, JSON.stringify(answer)).toBe(kind);
    if (answer.kind === 'reject') expect(answer.message).toMatch(said);
    if (answer.kind !== 'clarify') return;
    expect(answer.ask).toMatch(said);
    expect(answer.options.length).toBeGreaterThanOrEqual(2);
    for (const option of answer.options) {
      const told = await ask(option.question, session, { now, record: false, related: false });
      expect(told.kind, option.question).toBe('answered');
    }
  });

  it.each(['hi, how many orders in 2023?', 'orders per month in 2023', 'hello, show deliveries by brand'])(
    'is none: %s',
    async (question) => {
      if (suite === null) throw new Error('Motors needs no data and is made when it is missing');
      const { session, now } = suite;
      expect(await ask(question, session, { now, record: false, related: false })).toMatchObject({
        kind: 'answered',
      });
    },
  );
});
