/**
 * A company with a lake of tables, made of a seed: any table and any user can be had by number and nothing is kept, so that a
 * million tables cost no memory. Teams own tables and people; tables drift from epoch to epoch; runs are those of 90 days.
 */
import type { Column, Table, TypeFamily } from '../../src/catalog/index.ts';
import { createRandom, type Random } from '../../src/demo/motors/random.ts';
import { AREAS, ASPECTS, DAYS, ENTITIES, MEASURES } from '../business-words.ts';
import { drawSome } from '../draw-some.ts';

export interface LakeOptions {
  readonly tables: number;
  readonly users: number;
  readonly seed: number;
}

/** Runs of one table by one user over 90 days. */
export interface TableRuns {
  /** Number of the table. */
  readonly table: number;
  readonly runs: number;
}

/** Columns of a table before any drift. */
const COLUMNS = 20;
/** Tables of a team, on average; a lake of a million has 800 teams. */
const TABLES_PER_TEAM = 1_250;
const FEWEST_TEAMS = 8;
/** Of the tables: those that everybody reads. */
const COMPANY_TABLES = 40;
/** Share of the tables that change from one epoch to the next. */
const DRIFT = 0.01;
/** Of the changes: the table is gone for good. */
const DROPPED = 0.05;
/** Of the tables: copies, days and leftovers of another one, as lakes have them. */
const COPIES = 0.4;
const TABLES_PER_USER = 45;
const STRAYS = 8;
const COMPANY_READS = 6;
/** The mean of a log-normal of runs: some 2,000 runs a user, 100 million of 50,000. */
const MEAN_LOG_RUNS = 2.9;
const RUNS_SPREAD = 1.1;

export class Company {
  readonly tables: number;
  readonly users: number;
  readonly teams: number;
  readonly #seed: number;

  constructor({ tables, users, seed }: LakeOptions) {
    if (tables < COMPANY_TABLES * 2) throw new RangeError(`a lake has ${COMPANY_TABLES * 2} tables at least`);
    this.tables = tables;
    this.users = users;
    this.teams = Math.max(FEWEST_TEAMS, Math.round(tables / TABLES_PER_TEAM));
    this.#seed = seed;
  }

  /** The team that owns a table; undefined: everybody reads it. */
  teamOfTable(table: number): number | undefined {
    return table < COMPANY_TABLES ? undefined : table % this.teams;
  }

  teamOfUser(user: number): number {
    return user % this.teams;
  }

  userName(user: number): string {
    return `user_${user}`;
  }

  tableId(table: number): string {
    const { catalog, schema, name } = this.#names(table);
    return `${catalog}.${schema}.${name}`;
  }

  /** Changes whenever the table does; undefined: it was dropped in this epoch or an earlier one. */
  stampOf(table: number, epoch: number): string | undefined {
    const changes = this.#changes(table, epoch);
    return changes.isDropped ? undefined : `v${changes.count}`;
  }

  /** As it is in an epoch; undefined: it was dropped. */
  table(table: number, epoch = 0): Table | undefined {
    const { count, isDropped } = this.#changes(table, epoch);
    if (isDropped) return undefined;
    const { catalog, schema, name, entity, root } = this.#names(table);
    const id = `${catalog}.${schema}.${name}`;
    const columns = columnsOf({ id, entity, random: this.#random(root, 'columns'), changes: count });
    return {
      ...{ id, name, schema, catalog, qualifier: [catalog, schema], kind: 'table', columns },
      ...(root === table && table % 3 === 0 && { comment: `One row for each ${entity} of ${schema}.` }),
      primaryKey: [`${id}.${entity}_id`],
      rowCount: 0,
    };
  }

  /** What a user runs in 90 days, each table once: own tables by far the most, some of everybody's, a few of others. */
  readsOf(user: number): readonly TableRuns[] {
    const random = this.#random(user, 'reads');
    const team = this.teamOfUser(user);
    const runs = new Map<number, number>();
    const read = (table: number, factor: number): void => {
      const times = Math.ceil(factor * Math.exp(MEAN_LOG_RUNS + RUNS_SPREAD * normal(random)));
      runs.set(table, (runs.get(table) ?? 0) + times);
    };
    const own = Math.floor((this.tables - COMPANY_TABLES) / this.teams);
    // The square draws the first tables of a team far oftener than the last: most of a lake is hardly read.
    for (let at = 0; at < TABLES_PER_USER; at += 1) {
      const place = Math.floor(own * random.next() ** 2);
      const table =
        COMPANY_TABLES +
        ((((team - COMPANY_TABLES) % this.teams) + this.teams) % this.teams) +
        place * this.teams;
      if (table < this.tables) read(table, 1);
    }
    for (let at = 0; at < COMPANY_READS; at += 1) read(random.integer(0, COMPANY_TABLES - 1), 1);
    for (let at = 0; at < STRAYS; at += 1) read(random.integer(COMPANY_TABLES, this.tables - 1), 0.15);
    return [...runs].map(([table, times]) => ({ table, runs: times }));
  }

  #changes(table: number, epoch: number): { readonly count: number; readonly isDropped: boolean } {
    let count = 0;
    for (let at = 1; at <= epoch; at += 1) {
      const random = this.#random(table, `epoch ${at}`);
      if (!random.chance(DRIFT)) continue;
      if (random.chance(DROPPED)) return { count, isDropped: true };
      count += 1;
    }
    return { count, isDropped: false };
  }

  /** A copy is called after the table it was made of, and has its columns. */
  #names(table: number) {
    const random = this.#random(table, 'names');
    const team = this.teamOfTable(table);
    const isCopy = team !== undefined && table >= COMPANY_TABLES + this.teams && random.chance(COPIES);
    const steps = Math.floor((table - COMPANY_TABLES) / this.teams);
    const root = isCopy ? table - this.teams * random.integer(1, Math.min(steps, 20)) : table;
    const words = this.#random(root, 'words');
    const entity = words.pick(ENTITIES);
    const aspect = words.chance(0.6) ? `_${words.pick(ASPECTS)}` : '';
    const area = AREAS[(team ?? 0) % AREAS.length] ?? 'shared';
    const end = isCopy ? `_${random.pick(['v2', 'tmp', 'backup', 'old', 'staging'])}_${table}` : `_${root}`;
    return {
      catalog: team === undefined ? 'company' : `${area}_lake`,
      schema: team === undefined ? 'shared' : `${area}_team_${team}`,
      name: `${words.pick(AREAS)}_${entity}${aspect}${end}`,
      entity,
      root,
    };
  }

  /** Chance that belongs to one thing alone, whatever was drawn before. */
  #random(number: number, what: string): Random {
    let mixed = this.#seed ^ Math.imul(number + 1, 0x9e3779b1);
    for (let at = 0; at < what.length; at += 1) mixed = Math.imul(mixed ^ what.charCodeAt(at), 0x01000193);
    return createRandom(mixed ^ (mixed >>> 15));
  }
}

interface ColumnsOptions {
  readonly id: string;
  readonly entity: string;
  readonly random: Random;
  /** How often the table was changed: each change adds a column. */
  readonly changes: number;
}

function columnsOf({ id, entity, random, changes }: ColumnsOptions): readonly Column[] {
  const column = (name: string, type: string, family: TypeFamily): Column => ({
    ...{ id: `${id}.${name}`, tableId: id, name, type, family },
    isNullable: name !== `${entity}_id`,
  });
  const parents = drawSome(
    random,
    ENTITIES.filter((other) => other !== entity),
    3,
  );
  const fixed = [
    column(`${entity}_id`, 'bigint', 'number'),
    ...parents.map((parent) => column(`${parent}_id`, 'bigint', 'number')),
    ...['name', 'city', 'category', 'status'].map((text) => column(text, 'varchar', 'text')),
    ...drawSome(random, DAYS, 3).map((day) => column(`${day}_on`, 'date', 'time')),
  ];
  const measures = drawSome(random, MEASURES, COLUMNS - fixed.length).map((name) =>
    column(name, 'double', 'number'),
  );
  const added = Array.from({ length: changes }, (_, at) =>
    column(`${entity}_note_${at + 1}`, 'varchar', 'text'),
  );
  return [...fixed, ...measures, ...added];
}

/** Standard normal, by Box and Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
