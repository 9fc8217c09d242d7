/** What the steps of BigQuery have come to, and the queries that are put around them. */
import { as, type Draft } from './draft.ts';

/** How far the clauses of a query have come; a step that would stand before them needs a query of its own. */
export const STAGE = { joins: 1, where: 2, list: 3, order: 4, limit: 5, closed: 6 } as const;

/** What the steps so far give; lives for one chain. */
export interface Chain {
  query: Draft;
  stage: number;
  /** The name of the only table that columns may still be called by. */
  name: Draft | undefined;
}

export const PIPE = Object.freeze({ pipe: 'true' });

/** A query around the steps so far, unless its clauses have not come further than `most`. */
export function open(chain: Chain, pipe: number, most: number): void {
  if (chain.stage <= most) return;
  const { name } = chain;
  wrap(chain, name && nameAt(name, pipe));
}

/** The name goes on; the pipe stands for it in the text. */
function nameAt(name: Draft, start: number): Draft {
  const place = { start, end: start + '|>'.length, parent: undefined };
  const copy: Draft = { ...name, ...place, role: 'this', children: [] };
  return { ...copy, type: 'TableAlias', children: [copy], value: undefined, flags: {} };
}

/** The steps so far as a subquery of a new query; gives the subquery. */
export function wrap(chain: Chain, alias: Draft | undefined): Draft {
  const { query } = chain;
  const place = { ...query, end: alias?.end ?? query.end, value: undefined, flags: PIPE };
  const around = (type: string, children: Draft[]): Draft => ({ ...place, type, children });
  const inner = around('Subquery', [as('this', query), ...(alias === undefined ? [] : [as('alias', alias)])]);
  const from = as('from', around('From', [as('this', inner)]));
  chain.query = { ...around('Select', [from]), role: 'root' };
  chain.stage = STAGE.joins;
  return inner;
}

export function add(chain: Chain, stage: number, parts: readonly Draft[]): void {
  chain.query.children.push(...parts);
  chain.stage = stage;
}
