import { describe, expect, it } from 'vitest';
import type { Answer, Answered } from '../../../answer.ts';
import { makeStyle } from '../layout/text-layout.ts';
import { type CardLayout, renderAnswer } from './render-answer.ts';

const sql = "SELECT COUNT(*) AS orders FROM orders WHERE ordered_on >= '2024-01-01' AND city = 'Lyon'";
const spanOf = (part: string) => ({ start: sql.indexOf(part), end: sql.indexOf(part) + part.length });

const layout: CardLayout = {
  style: makeStyle(false),
  dialect: 'sqlite',
  maxRows: 2,
  isExecuted: true,
  askCommand: 'candor ask',
  replayCommand: 'candor replay',
};
const base = { question: 'orders in lyon', related: [], recordId: 'r1', thinkMs: 12.4 };
const answered: Answered = {
  ...base,
  kind: 'answered',
  sql,
  columns: ['orders'],
  rows: [[3], [4], [5]],
  truncatedBy: null,
  explanation: 'Number of orders, city Lyon, in 2024.',
  probability: 0.876,
  evidence: [
    {
      sqlSpan: spanOf("ordered_on >= '2024-01-01'"),
      part: 'time',
      certainty: 'assumed',
      why: 'the current year',
    },
    {
      sqlSpan: spanOf("city = 'Lyon'"),
      questionSpan: { start: 10, end: 14 },
      part: "orders.city = 'Lyon'",
      certainty: 'uncertain',
      why: 'a value of that column',
    },
  ],
  assumptions: [{ kind: 'time', text: 'no time given: the current year' }],
  checks: [
    { name: 'parse', passed: true },
    { name: 'explain', passed: false, detail: 'no such\u001b[2J table' },
  ],
  alternatives: [{ label: 'shipped', question: 'orders shipped to "lyon"' }],
};

describe('an answered card', () => {
  const card = renderAnswer(answered, layout);

  it('says what the engine has to say about the rows', () => {
    const notices = [{ code: 'value-cut' as const, text: 'A value was\u001b[2J cut.' }];
    expect(renderAnswer({ ...answered, notices }, layout)).toMatch(/note +A value was\\x1b\[2J cut\./);
    expect(card).not.toMatch(/^ *note /m);
  });

  it('shows explanation, rows and what to do next', () => {
    expect(card).toContain('Number of orders, city Lyon, in 2024.');
    expect(card).toContain('first 2 of 3 rows; --limit 3 shows more');
    expect(card).toMatch(/assumed +no time given: the current year/);
    expect(card).toContain(`“lyon” → orders.city = 'Lyon' (uncertain): a value of that column`);
    expect(card).toContain(`candor ask 'orders shipped to "lyon"'`);
    expect(card).toMatch(/how sure +88 %/);
    expect(card).toMatch(/record +candor replay r1 +12 ms to decide/);
    expect(card).toContain('explain ✗ no such\\x1b[2J table');
  });

  it.each<[string, Partial<Answered>, string | undefined]>([
    ['nothing of a risk that is not known', {}, undefined],
    [
      'the risk and its weakest part in one line, escaped',
      {
        risk: {
          queryRisk: 0.118,
          action: 'answer',
          units: [
            {
              kind: 'condition',
              sqlSpan: { start: 0, end: 6 },
              text: 'city =\n\u001b',
              probability: 0.34,
              reasons: [],
            },
            { kind: 'table', sqlSpan: { start: 0, end: 6 }, text: 'orders', probability: 0.31, reasons: [] },
          ],
        },
      },
      'risk             12 %; weakest: condition city = \\x1b 34 %',
    ],
    [
      'a warning',
      { risk: { queryRisk: 0.7, action: 'warn', units: [] } },
      'risk             70 % (check it before you use it); no part stands out',
    ],
    ['why there is none', { unassessed: 'a.b: gone' }, 'risk             not assessed: a.b: gone'],
  ])('says %s', (_, more, line) => {
    const found = renderAnswer({ ...answered, ...more }, layout)
      .split('\n')
      .find((each) => each.startsWith('risk'));
    expect(found).toBe(line);
  });

  it('says who has verified it, what was not used, and what else may be assumed', () => {
    const verified = { question: 'Who?', by: 'ana', at: '2026-03-01', place: 'who.sql' };
    const assumption = {
      kind: 'model',
      text: 'all of them',
      alternatives: [{ choice: 'open', label: 'open ones', sql: 'SELECT 1' }],
    } as const;
    const unused = [{ text: 'lovely', why: 'nothing tells' }];
    const lines = renderAnswer({ ...answered, verified, unused, assumptions: [assumption] }, layout);
    expect(lines).toContain('✓ by ana on 2026-03-01, as “Who?” (who.sql)');
    expect(lines).toContain('“lovely”: nothing tells');
    expect(lines).toContain('all of them (or: open ones)');
    expect(lines).not.toContain('--assume undefined');
  });

  it('marks assumed and uncertain parts below their line, as SQL comments', () => {
    const lines = card.split('\n');
    for (const [part, note] of [
      ["ordered_on >= '2024-01-01'", 'assumed: the current year'],
      ["city = 'Lyon'", 'uncertain: a value of that column'],
    ] as const) {
      const row = lines.findIndex((line) => line.includes(part) && !line.includes('→'));
      const mark = lines.slice(row + 1).find((line) => line.includes(note))!;
      expect(mark.startsWith('--')).toBe(true);
      expect(mark.indexOf('~')).toBe(lines[row]!.indexOf(part));
      expect(mark.lastIndexOf('~') + 1 - mark.indexOf('~')).toBe(part.length);
    }
  });

  it('underlines them on a terminal and says why', () => {
    const coloured = renderAnswer(answered, { ...layout, style: makeStyle(true) });
    expect(coloured).toContain(`\u001b[4m\u001b[33mcity = 'Lyon'\u001b[39m\u001b[24m`);
    expect(coloured).toContain('assumed: the current year');
    expect(coloured).not.toContain('~~~');
  });

  it('says so when nothing was run, when nothing was found and when a limit cut', () => {
    expect(renderAnswer(answered, { ...layout, isExecuted: false })).toContain('not executed');
    expect(renderAnswer({ ...answered, rows: [] }, layout)).toContain('no rows (orders)');
    expect(renderAnswer({ ...answered, truncatedBy: 'bytes' }, layout)).toContain(
      'cut at the limit of bytes',
    );
  });
});

const CARDS: readonly { answer: Answer; says: readonly string[] }[] = [
  {
    answer: {
      ...base,
      kind: 'clarify',
      gap: 'term',
      phrase: 'sales',
      ask: 'Which sales do you mean?',
      options: [
        { label: 'orders signed', question: 'orders signed in lyon' },
        { label: 'cars delivered', question: 'cars delivered in lyon' },
      ],
    },
    says: [
      '? Which sales do you mean?',
      ' 2  cars delivered',
      'candor ask "cars delivered in lyon"',
      '“sales”',
    ],
  },
  {
    answer: {
      ...base,
      kind: 'follow_up',
      metric: 'target attainment',
      dimension: 'brand',
      ask: 'For which brand?',
      options: [{ label: 'Aurora', question: 'target attainment of Aurora' }],
    },
    says: [
      'For which brand?',
      'target attainment needs one more thing: brand',
      'candor ask "target attainment of Aurora"',
    ],
  },
  {
    answer: {
      ...base,
      kind: 'reject',
      reason: 'metric',
      cause: 'not-found',
      missing: 'satisfaction',
      message: 'There is no satisfaction here.',
      nearest: ['number of orders', 'test drives'],
    },
    says: [
      '✗ There is no satisfaction here.',
      'not found  satisfaction',
      'there is   number of orders\n           test drives',
    ],
  },
  {
    answer: {
      ...base,
      kind: 'abstain',
      reason: 'Two tables fit equally well.',
      candidates: [{ label: 'by shipping city', question: 'orders shipped to lyon', sql: 'SELECT 1' }],
    },
    says: ['rather not answer', 'Two tables fit equally well.', 'by shipping city\n   SELECT 1'],
  },
];

describe('every other outcome', () => {
  it.each(CARDS)('$answer.kind says what is wrong and what to do', ({ answer, says }) => {
    const card = renderAnswer(answer, layout);
    for (const part of [...says, 'candor replay r1']) expect(card).toContain(part);
  });
});

describe('what people wrote', () => {
  it('is named on every kind of card, on one line, with control characters shown', () => {
    const note = {
      kind: 'note' as const,
      text: `Orders count\nwhen ${'signed '.repeat(30)}\u001b[31m`,
      place: 'knowledge/a.md:3',
    };
    const pair = {
      kind: 'verified-pair' as const,
      text: 'orders in Lyon?',
      place: 'lyon.sql',
      sql: 'SELECT 1',
    };
    const related = [pair, note];
    const card = renderAnswer({ ...answered, related }, layout);
    expect(card).toContain('see also         verified pair: orders in Lyon? (lyon.sql)');
    expect(card).toMatch(/ note: Orders count when (signed )+.*… \(knowledge\/a\.md:3\)\n/);
    const refused = renderAnswer(
      {
        ...{ ...base, kind: 'reject', reason: 'metric', cause: 'absent' },
        ...{ missing: 'churn', message: 'no', nearest: [], related },
      },
      layout,
    );
    expect(refused).toContain('see also  verified pair: orders in Lyon?');
  });
});
