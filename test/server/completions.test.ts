/** Conversations of clients that send all messages anew: each is answered as the same conversation in chat. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../src/config/index.ts';
import { type RunningServer, startServer } from '../../src/server/index.ts';
import { openSession } from '../../src/session/project/open-session.ts';
import type { Session } from '../../src/session/project/session.ts';
import { makeMotorsProject } from '../e2e/cli/make-motors-project.ts';

const COMPLETION = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) });
const ANSWER_CARD = z.object({
  card: z.object({ answer: z.object({ kind: z.string(), sql: z.string().optional() }) }),
});

let folder: string;
let session: Session;
let server: RunningServer;
beforeAll(async () => {
  folder = await makeMotorsProject('completions');
  session = await openSession(await readConfig({ cwd: folder }));
  let ids = 0;
  server = await startServer(session, {
    host: '127.0.0.1',
    port: 0,
    newId: () => `id-${++ids}`,
    onBug: () => undefined,
  });
});
afterAll(async () => {
  await server.close();
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The SQL of each answer; `null` where none was written. */
async function inChat(turns: readonly string[]): Promise<(string | null)[]> {
  const { id } = z.object({ id: z.string() }).parse(await (await post('/v1/chats', {})).json());
  const answers: (string | null)[] = [];
  for (const text of turns) {
    const events = await (
      await post(`/v1/chats/${id}/turns`, { text }, { accept: 'text/event-stream' })
    ).text();
    const card = /^event: card\ndata: (.*)$/m.exec(events)?.[1];
    answers.push(ANSWER_CARD.parse(JSON.parse(card ?? '')).card.answer.sql ?? null);
  }
  return answers;
}

async function inMessages(turns: readonly string[]): Promise<(string | null)[]> {
  const messages: { role: string; content: string }[] = [];
  const answers: (string | null)[] = [];
  for (const content of turns) {
    messages.push({ role: 'user', content });
    const sent = await post('/v1/chat/completions', { messages });
    const text = COMPLETION.parse(await sent.json()).choices[0]?.message.content ?? '';
    messages.push({ role: 'assistant', content: text });
    answers.push(/```sql\n([\s\S]*)\n```/.exec(text)?.[1] ?? null);
  }
  return answers;
}

it.each([
  { turns: ['Show me sales by brand in 2023', '2'], year: '2023' },
  { turns: ['Show me sales by brand in 2023', 'the first'], year: '2023' },
  { turns: ['Orders in Carrow in 2023', '1', 'and in 2022?'], year: '2022' },
  { turns: ['How many leads for Aurora in 2023?', '1', 'by month'], year: '2023' },
  { turns: ['What was our target attainment in 2023?', '1'], year: '2023' },
  {
    turns: ['revenue by month in 2023', 'and by region?', 'Show me sales by brand in 2024', '1'],
    year: '2024',
  },
  { turns: ['Show me sales by brand in 2023', 'revenue by month in 2022'], year: '2022' },
  { turns: ['revenue by month in 2023', 'What was the weather in Lisbon?', 'and by region?'], year: '2023' },
])('$turns', async ({ turns, year }) => {
  const answers = await inMessages(turns);
  expect(answers.at(-1)).toContain(year);
  expect(answers).toEqual(await inChat(turns));
});
