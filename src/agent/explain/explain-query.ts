import { factText } from '../../knowledge/graph/index.ts';
import { components } from '../../sql/compare/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { parse } from '../../sql/index.ts';
import { type SqlTree, textOf } from '../../sql/tree/index.ts';
import { lastSqlOf, tablesOfSql } from '../turn/talk-state.ts';
import type { LastQuery } from '../turn/turn.ts';
import type { TurnContext } from '../turn/turn-context.ts';
import { type Served, type ServedTurn, said } from '../turn/turn-context.ts';
import { explainByModel } from './explain-by-model.ts';

const MOST_ABOUT = 20;

/** What a query computes: how its question was understood, in a model's words where there is one, clause by clause. */
export async function explainQuery(
  given: string | undefined,
  { talk }: ServedTurn,
  turnContext: TurnContext,
): Promise<Served> {
  const { session, modelRoles, signal } = turnContext;
  const sql = given ?? lastSqlOf(talk);
  if (sql === undefined)
    return said('There is no query to explain yet. Ask a question first, or paste a query.', talk);
  const { dialect } = session.catalog;
  const lines = sqlInWords(sql, dialect);
  if (lines === undefined)
    return said(
      `This is no query that ${dialect} would read, so there is nothing to explain. “Fix it” looks for what is wrong.`,
      {
        ...talk,
        mended: sql,
      },
      ['Fix it'],
    );
  const { lastQuery } = talk;
  const understood = lastQuery?.sql === sql ? lastQuery.explanation : undefined;
  const tables = tablesOfSql(sql, session.catalog);
  const known = [...(understood === undefined ? [] : [`${understood}.`]), ...lines];
  if (modelRoles !== undefined) {
    turnContext.tell({ kind: 'stage', stage: 'describe query' });
    const { graph } = await session.base.open();
    const about = tables.flatMap((id) =>
      (graph.table(id)?.descriptions ?? []).slice(0, 1).map((fact) => `${id}: ${factText(fact)}`),
    );
    const { summary, grain } = await modelRoles.assistant.describeQuery({
      sql,
      dialect,
      about: about.slice(0, MOST_ABOUT),
      ledger: modelRoles.ledger,
      ...(signal && { signal }),
    });
    known.unshift(`${summary.replace(/[.\s]+$/, '')}${grain === '' ? '' : `; ${grain}`}.`);
  }
  const text = known.join('\n');
  const next = given === undefined ? talk : { ...talk, mended: sql };
  return {
    cards: [{ kind: 'text', text }],
    quickReplies: tables.length > 0 ? ['Explain these tables'] : [],
    // The numbers of a choice are those of its tables.
    talk: tables.length > 0 && talk.choosing === undefined ? { ...next, tables } : next,
    line: known[0] ?? '',
  };
}

/** The parts of a query as clauses for people, in the order in which they are read. */
const CLAUSES: readonly (readonly [head: string, tags: readonly string[]])[] = [
  ['Shows', ['sel']],
  ['Reads', ['from', 'join']],
  ['Joined where', ['on']],
  ['Only where', ['where', 'qual']],
  ['One row for each', ['grp']],
  ['Only groups where', ['hav']],
  ['Sorted by', ['ord']],
  ['At most', ['lim']],
];
const MOST_PARTS = 12;

/** What a query does, clause by clause and by its own words; undefined where it cannot be parsed. */
function sqlInWords(sql: string, dialect: DialectName): readonly string[] | undefined {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) return undefined;
  const all = components(parsed.tree);
  const own = all.filter(({ text }) => !/^(?:sub|cte:\d+\/)/.test(text));
  const lines = CLAUSES.flatMap(([head, tags]) => {
    const parts = own.filter(
      ({ text, weight }) => weight === 1 && tags.includes(text.slice(0, text.indexOf(':'))),
    );
    const texts = [...new Set(parts.map(({ text, node }) => shown(text, textOf(parsed.tree, node))))];
    const more = texts.length - MOST_PARTS;
    const listed = `${texts.slice(0, MOST_PARTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return texts.length === 0 ? [] : [`${head}: ${listed}.`];
  });
  const isDistinct = own.some(({ text }) => text.startsWith('distinct'));
  return [...lines, ...(isDistinct ? ['Equal rows are shown once.'] : []), ...stepLines(parsed.tree)];
}

function stepLines({ nodes }: SqlTree): readonly string[] {
  const steps = nodes.filter(({ type }) => type === 'Cte').length;
  const inner = nodes.filter(({ type }) => type === 'Subquery').length;
  return [
    ...(steps === 0 ? [] : [`It is made in ${steps === 1 ? 'a step' : `${steps} steps`} before (WITH).`]),
    ...(inner === 0 ? [] : [`It has ${inner === 1 ? 'a query' : `${inner} queries`} inside.`]),
  ];
}

/** A part without the words that its clause says already; what joins a table is told by itself. */
function shown(component: string, text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (component.startsWith('lim:')) return line.replace(/^LIMIT\s+/i, '');
  if (component.startsWith('from:'))
    return line.replace(/^(?:INNER\s+)?JOIN\s+/i, '').replace(/\s+(?:ON|USING)\b.*$/i, '');
  return component.startsWith('join:') ? line.replace(/\s+(?:ON|USING)\b.*$/i, '') : line;
}

type Part = NonNullable<LastQuery['parts']>[number];

/** Words of a question that point at a kind of part rather than at a name. */
const KINDS: readonly (readonly [asked: RegExp, part: RegExp])[] = [
  [/\bjoin(?:s|ed)?\b/i, /\bon\b/i],
  [/\b(?:filter(?:s|ed)?|conditions?|where clause)\b/i, /(?:[=<>]|\bLIKE\b|\bIN\b|\bBETWEEN\b|\bIS\b)/i],
  [/\b(?:distinct|twice|duplicates)\b/i, /\bDISTINCT\b/i],
];
const COMMON = new Set(
  `why is are was were the that this there here what where does did you do use used in it for column columns join joined joins filter
  filters filtered condition query result table tables and not a an of by come from needed included have group grouped order`.split(
    /\s+/,
  ),
);

/** Why a part of the last query stands there: by the words or the rule that caused it, as the answer was given. */
export async function explainPart(asked: ServedTurn, turnContext: TurnContext): Promise<Served> {
  const { turn, talk } = asked;
  const { lastQuery, mended } = talk;
  if (lastQuery === undefined || mended !== undefined)
    return mended === undefined
      ? said('There is no query yet whose parts could be explained. Ask a question first.', talk)
      : explainQuery(undefined, asked, turnContext);
  const parts = lastQuery.parts ?? [];
  const meant = partsMeant(turn.text, parts);
  const told = meant.length > 0 ? meant : parts;
  if (told.length === 0) return explainQuery(undefined, asked, turnContext);
  const lines = told.map(({ sql, because }) => `${sql} is there because of ${because}.`);
  const head = meant.length > 0 ? [] : ['Every part of the query, with what caused it:'];
  return said([...head, ...lines].join('\n'), talk, ['Explain this query']);
}

/** Parts that the question names; where it names none, those of the kind it asks for. */
function partsMeant(text: string, parts: readonly Part[]): readonly Part[] {
  const words = (text.toLowerCase().match(/\p{L}[\p{L}\p{N}_]*/gu) ?? []).filter((word) => !COMMON.has(word));
  const isNamed = ({ sql }: Part): boolean => {
    const names = sql.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    return words.some((word) =>
      names.some(
        (name) =>
          name === word || name.split('_').includes(word) || `${name}s` === word || name === `${word}s`,
      ),
    );
  };
  const named = parts.filter(isNamed);
  if (named.length > 0) return named;
  const kind = KINDS.find(([asked]) => asked.test(text));
  return kind === undefined ? [] : parts.filter(({ sql }) => kind[1].test(sql));
}

/** What makes a query slow or fast, as far as the catalog tells: how much it reads, and which filters would save reading. */
export async function explainCost(
  given: string | undefined,
  asked: ServedTurn,
  turnContext: TurnContext,
): Promise<Served> {
  const { talk } = asked;
  const { session, modelRoles } = turnContext;
  const sql = given ?? lastSqlOf(talk);
  if (sql === undefined)
    return said('There is no query to look at yet. Ask a question first, or paste a query.', talk);
  const read = new Set(tablesOfSql(sql, session.catalog));
  const lines = session.catalog.tables
    .filter(({ id }) => read.has(id))
    .map(({ name, rowCount, estimatedRows, partitionKey = [], primaryKey }) => {
      const rows = Math.max(rowCount, estimatedRows ?? 0);
      const size = rows === 0 ? 'rows not counted' : `${rows.toLocaleString('en')} rows`;
      const saving =
        partitionKey.length === 0 ? '' : `; a condition on ${partitionKey.join(', ')} saves reading`;
      return `${name}: ${size}${primaryKey.length === 0 ? '' : `, key ${primaryKey.join(', ')}`}${saving}.`;
    });
  const next = given === undefined ? talk : { ...talk, mended: sql };
  if (modelRoles !== undefined)
    return explainByModel({ ...asked, talk: next }, turnContext, { known: lines, ids: [...read] });
  const head = 'It was not measured, and no rule rewrites a query to be faster. What it reads:';
  return said([head, ...lines].join('\n'), next, ['Explain this query', 'Top 10 only']);
}
