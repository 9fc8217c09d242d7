import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallServer, type SmallServer } from '../../../test/fixtures/grounded/open-small-server.ts';

let small: SmallServer['small'];
let server: SmallServer['server'];
let close: SmallServer['close'];
beforeAll(async () => {
  ({ small, server, close } = await openSmallServer());
});
afterAll(() => close());

const get = async (path: string) => {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, body: JSON.parse(await response.text()) };
};
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const post = async (path: string, body: unknown = {}) => JSON.parse(await (await send(path, body)).text());
const ask = (question: string) => post('/v1/ask', { question });

describe('records', () => {
  it('are listed newest first, page by page, by outcome, and read whole', async () => {
    const asked = [];
    for (const question of [
      'How many singers are there?',
      'What was the weather in Lisbon?',
      'How many concerts?',
    ])
      asked.push(await ask(question));
    const ids = asked
      .map(({ recordId }) => recordId)
      .sort()
      .reverse();
    const { body: all } = await get('/v1/records');
    expect(all.records.map(({ id }: { id: string }) => id)).toEqual(ids);
    const { body: first } = await get('/v1/records?limit=2');
    expect(first.next).toBe(ids[1]);
    const { body: rest } = await get(`/v1/records?limit=2&before=${first.next}`);
    expect(rest).toEqual({ records: [all.records[2]] });
    const { body: refused } = await get('/v1/records?outcome=reject');
    expect(refused.records).toMatchObject([{ question: 'What was the weather in Lisbon?', kind: 'reject' }]);
    const { body: whole } = await get(`/v1/records/${asked[0].recordId}`);
    expect(whole).toMatchObject({ kind: 'answered', sql: asked[0].sql, rowCount: 1 });
    expect(whole.stages.map(({ stage }: { stage: string }) => stage)).toContain('execute');
    expect(JSON.stringify(whole)).not.toContain('"rows"');
  });

  it('are asked again, and what has changed since is told', async () => {
    const { recordId } = await ask('How many singers are there?');
    expect(await post(`/v1/records/${recordId}/replay`)).toMatchObject({
      same: true,
      differences: [],
      answer: { kind: 'answered', rows: [[6]] },
    });
    const file = join(small.folder, `.candor/records/${recordId}.json`);
    const { body } = await get(`/v1/records/${recordId}`);
    writeFileSync(file, JSON.stringify({ ...body, sql: 'SELECT 7' }));
    expect(await post(`/v1/records/${recordId}/replay`)).toMatchObject({
      same: false,
      differences: ['The SQL differs.'],
    });
    expect((await get('/v1/records/..%2F..%2Fmusic')).body.error.code).toBe('record.not-found');
  });
});

describe('a review', () => {
  it('judges a query part by part and offers a repair', async () => {
    const review = await post('/v1/review', { sql: 'SELECT nmae FROM singers', repair: true });
    expect(review).toMatchObject({
      queryRisk: 1,
      repair: { sql: 'SELECT name FROM singers', isAccepted: true },
    });
    expect(review.faults[0]).toMatchObject({
      span: { start: 7, end: 11 },
      isRefused: true,
      instead: ['name'],
    });
    const right = await post('/v1/review', { sql: 'SELECT name FROM singers', question: 'names of singers' });
    expect(right.queryRisk).toBeLessThan(0.5);
    const wrong = await post('/v1/review', {
      sql: "SELECT name FROM singers WHERE name = 'X'",
      question: 'how many concerts?',
    });
    expect(wrong.queryRisk).toBeGreaterThan(right.queryRisk);
    expect(wrong.units[0].reasons.length).toBeGreaterThan(0);
    expect(await post('/v1/review', { sql: 'DROP TABLE singers' })).toMatchObject({
      action: 'abstain',
      queryRisk: 1,
    });
    expect(await post('/v1/review', { sql: 'SELECT (' })).toMatchObject({ stopsAt: { line: 1 } });
  });
});

describe('an explanation', () => {
  it.each([
    ['How many singers are there?', 'sql'],
    ['Which concerts took place recently?', 'clarify'],
    ['What was the ticket income in 2023?', 'follow_up'],
    ['What was the weather in Lisbon?', 'reject'],
  ])('of %s ends in %s', async (question, kind) => {
    const explained = await post('/v1/explain', { question });
    expect(explained.decision.kind).toBe(kind);
    if (kind === 'sql') expect(explained.readings[0].sql).toMatch(/^SELECT/);
    else expect(explained.decision.text).toMatch(/\w/);
  });
});

interface Told {
  readonly name: string;
  readonly data: Record<string, unknown>;
}
async function eventsOf(response: Response): Promise<readonly Told[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event'));
  return blocks.map((block) => {
    const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
    return { name, data: JSON.parse(data) };
  });
}
const SSE = { accept: 'text/event-stream' };

describe('tests of the project', () => {
  beforeAll(() => {
    expect(small.folder).toBeTruthy();
    mkdirSync(join(small.folder, 'tests'), { recursive: true });
    writeFileSync(
      join(small.folder, 'tests/music.yml'),
      `- id: right
  question: how many singers are there?
  expect: { kind: answered, result: [[6]] }
- id: wrong
  question: how many singers are there?
  hint: x
  tags: [odd]
  expect: { kind: answered, result: [[7]] }
- id: refused
  question: what was the weather in Lisbon?
  expect: { kind: reject }
`,
    );
  });

  it('are listed with what is due', async () => {
    const { body } = await get('/v1/tests?limit=1&offset=1');
    expect(body).toMatchObject({
      total: 3,
      tags: ['odd'],
      cases: [{ id: 'wrong', line: 4, tags: ['odd'], expected: 'answered' }],
    });
    const idsOf = async (query: string) =>
      (await get(`/v1/tests?${query}`)).body.cases.map(({ id }: { id: string }) => id);
    expect(await idsOf('tags=odd,none')).toEqual(['wrong']);
    expect(await idsOf('filter=LISBON')).toEqual(['refused']);
    expect((await get('/v1/tests?filter=nothing')).body.error.code).toBe('test.nothing-selected');
  });

  it('are run with progress and a report', async () => {
    const events = await eventsOf(await send('/v1/tests/runs', {}, SSE));
    expect(events.map(({ name }) => name)).toEqual(['run', 'progress', 'progress', 'progress', 'report']);
    expect(events[3]?.data).toMatchObject({ done: 3, total: 3, bad: 1 });
    expect(events[4]?.data).toMatchObject({
      isPassed: false,
      faults: ['1 of 3 cases did not come out as expected'],
      counts: { passed: 2, failed: 1 },
    });
    const results = events[4]?.data.results as { status: string; turns: { problems: string[] }[] }[];
    expect(results.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed']);
    expect(results[1]?.turns[0]?.problems[0]).toMatch(/row/);
    const chosen = await eventsOf(await send('/v1/tests/runs', { tags: ['odd'] }, SSE));
    expect(chosen.at(-1)?.data).toMatchObject({ counts: { failed: 1, passed: 0 } });
    const none = await post('/v1/tests/runs', { filter: 'nothing like it' });
    expect(none.error.code).toBe('test.nothing-selected');
  });

  it('begin once, however often a run is sent', async () => {
    const key = '00000000-0000-4000-8000-000000000001';
    const headers = { ...SSE, 'idempotency-key': key };
    const events = await eventsOf(await send('/v1/tests/runs', { tags: ['odd'] }, headers));
    expect(events[0]?.data).toEqual({ runId: key, cases: 1 });
    expect(await eventsOf(await send('/v1/tests/runs', { tags: ['odd'] }, headers))).toEqual(events);
  });

  it('run one at a time, and are cancelled', async () => {
    const { runId } = await post('/v1/tests/runs', {});
    const second = await post('/v1/tests/runs', {});
    expect(second.error).toMatchObject({ code: 'server.busy' });
    expect(await post(`/v1/runs/${runId}/cancel`)).toEqual({ ok: true });
    const events = await eventsOf(await fetch(`${server.url}/v1/runs/${runId}/events`));
    expect(events.at(-1)).toMatchObject({ name: 'report', data: { isPassed: false, stoppedBy: 'cancel' } });
  });
});
