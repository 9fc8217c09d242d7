/**
 * How often the probe of private mode speaks up: over prompts from which values were left out (each is a false alarm), and
 * over the same prompts with values (each is a leak that the second wall would have stopped). No model is asked.
 * `npx tsx bench/private-mode.ts [--smoke] [--output json]`
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { buildSqlPrompt } from '../src/answering/prompt/build-sql-prompt.ts';
import { assembleContext, linkingOf, linkQuestion } from '../src/answering/prompt/index.ts';
import { projectConfig, readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { LINK_DEFAULTS } from '../src/linking/index.ts';
import { type LanguageModel, TokenLedger } from '../src/model/index.ts';
import { modelReasoner } from '../src/reasoning/llm/index.ts';
import { writePrompt } from '../src/reasoning/llm/prompts/writing/write-prompt.ts';
import { privateModels } from '../src/session/project/open-models.ts';
import { openSession } from '../src/session/project/open-session.ts';
import type { Session } from '../src/session/project/session.ts';
import { readBenchOptions } from './bench-options.ts';
import { makeMotorsFile } from './make-motors-file.ts';
import { printReport } from './print-report.ts';

const ABOUT = 'requests that the probe of private mode holds back, by database';
const MOST_QUESTIONS = 100;
const SMOKE_QUESTIONS = 3;
const NOW = new Date('2024-06-01T12:00:00Z');

const options = readBenchOptions();
const data =
  readTerminalEnvironment().dataDirectory ?? join(import.meta.dirname, '..', '..', 'shared', 'data');
const ASKED = z.array(z.object({ db_id: z.string(), question: z.string(), evidence: z.string().optional() }));

interface Place {
  readonly name: string;
  readonly url: string;
  readonly questions: readonly { readonly question: string; readonly hint?: string }[];
}

interface Counts {
  requests: number;
  heldBack: number;
}

/** Two readings and every table and column of them: as much of the schema as the prompts ever show. */
function tellingModel(isPrivate: boolean, counts: Counts, tables: readonly string[]): LanguageModel {
  return {
    id: 'none',
    ...(isPrivate && { isPrivate }),
    chat: async ({ role, tools }) => {
      counts.requests += 1;
      const usage = { promptTokens: 0, completionTokens: 0 };
      const text =
        role === 'hypothesise' || role === undefined
          ? JSON.stringify({
              hypotheses: [
                { summary: 'a', entities: [...tables] },
                { summary: 'b', entities: [] },
              ],
            })
          : role === 'select tables'
            ? JSON.stringify({ tables: tables.slice(0, 4).map((name) => ({ name })) })
            : '{"fields": []}';
      return { text: tools === undefined ? text : 'done', toolCalls: [], usage };
    },
  };
}

async function countPlace({
  name,
  url,
  questions,
}: Place): Promise<Readonly<Record<string, string | number>>> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-private-'));
  const session = await openSession(projectConfig(folder, url));
  try {
    const [shut, open] = [
      { requests: 0, heldBack: 0 },
      { requests: 0, heldBack: 0 },
    ];
    for (const { question, hint } of questions.slice(0, options.isSmoke ? SMOKE_QUESTIONS : MOST_QUESTIONS)) {
      await tell({ question, ...(hint && { hint }) }, session, { isPrivate: true, counts: shut });
      await tell({ question, ...(hint && { hint }) }, session, { isPrivate: false, counts: open });
    }
    return {
      database: name,
      values: session.values.size,
      questions: Math.min(questions.length, MOST_QUESTIONS),
      'requests without values': shut.requests,
      'held back wrongly': shut.heldBack,
      'requests with values': open.requests,
      'held back': open.heldBack,
    };
  } finally {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Telling {
  /** Whether values are left out; the probe looks at the prompts either way. */
  readonly isPrivate: boolean;
  readonly counts: Counts;
}

/** Linking by votes and writing, as the careful mode asks for them; what is held back is counted and gone on without. */
async function tell(
  { question, hint }: { readonly question: string; readonly hint?: string },
  session: Session,
  { isPrivate, counts }: Telling,
): Promise<void> {
  const model = tellingModel(
    isPrivate,
    counts,
    session.catalog.tables.map(({ name }) => name),
  );
  const probed = privateModels({ answers: model }, session).answers;
  const counting: LanguageModel = {
    id: 'none',
    ...(isPrivate && { isPrivate }),
    chat: (request) =>
      probed.chat(request).catch((error: unknown) => {
        if (!(error instanceof CandorError) || error.code !== 'model.would-leak') throw error;
        counts.heldBack += 1;
        if (isPrivate) process.stderr.write(`${error.message}\n`);
        return model.chat(request);
      }),
  };
  const ledger = new TokenLedger();
  const { linked, retrieved, base } = await linkQuestion(question, await linkingOf(session), {
    ...(hint !== undefined && { hint }),
    settings: { ...LINK_DEFAULTS, mode: 'evilink' },
    roles: { ledger, linker: modelReasoner(counting) },
  });
  if (linked === null || retrieved === null) return;
  const sharing = isPrivate ? 'private' : 'all';
  const asked = buildSqlPrompt({
    text: question,
    hint,
    context: assembleContext(session, { retrieved, sharing, base }),
    now: NOW,
    ledger,
  });
  await counting.chat({ role: 'write', messages: writePrompt(asked, { method: 'direct' }) });
}

function birdPlaces(): readonly Place[] {
  const file = join(data, 'bird', 'dev', 'dev.json');
  if (!existsSync(file)) return [];
  const asked = ASKED.parse(JSON.parse(readFileSync(file, 'utf8')));
  return ['superhero', 'student_club', 'toxicology'].map((name) => ({
    name,
    url: `sqlite:${join(data, 'bird', 'databases', name, `${name}.sqlite`)}`,
    questions: asked.flatMap(({ db_id, question, evidence }) =>
      db_id === name ? [{ question, ...(evidence && { hint: evidence }) }] : [],
    ),
  }));
}

/** Questions in the words of a schema nobody has written questions for. */
const PLAIN = [
  'customers',
  'films',
  'tracks',
  'artists',
  'actors',
  'invoices',
  'payments',
  'countries',
  'genres',
  'languages',
]
  .flatMap((word) => [
    `How many ${word} are there?`,
    `Which ${word} have the highest total?`,
    `Show the names of all ${word}`,
  ])
  .map((question) => ({ question }));

function motorsQuestions(): Place['questions'] {
  const file = join(import.meta.dirname, '..', 'examples', 'motors', 'tests', 'motors.yml');
  const lines = readFileSync(file, 'utf8').matchAll(/^ {2}question: (.*)$/gm);
  return [...lines].map(([, question = '']) => ({ question: question.replace(/^"|"$/g, '') }));
}

const motorsFolder = await mkdtemp(join(tmpdir(), 'candor-private-motors-'));
try {
  const motors = join(motorsFolder, 'motors.db');
  await makeMotorsFile(motors, 'sqlite', 0.02);
  const places: Place[] = [
    { name: 'Motors', url: `sqlite:${motors}`, questions: motorsQuestions() },
    ...['chinook.sqlite', 'sakila.db'].map((file) => ({
      name: file.replace(/\..*/, ''),
      url: `sqlite:${join(data, 'demo', file)}`,
      questions: PLAIN,
    })),
    ...birdPlaces(),
  ].filter(({ url }) => existsSync(url.slice('sqlite:'.length)));
  const rows: Readonly<Record<string, string | number>>[] = [];
  for (const place of options.isSmoke ? places.slice(0, 1) : places) rows.push(await countPlace(place));
  const sum = (key: string): number => rows.reduce((total, row) => total + Number(row[key] ?? 0), 0);
  const figures = {
    falseAlarmPercent: (100 * sum('held back wrongly')) / sum('requests without values'),
    heldBackPercent: (100 * sum('held back')) / sum('requests with values'),
  };
  printReport({ bench: 'private-mode', about: ABOUT, rows, figures }, options);
} finally {
  await rm(motorsFolder, { recursive: true, force: true });
}
