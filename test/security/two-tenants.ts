/** One database with the rows of two tenants, and the database that the first tenant should seem to have. */

import type { VisibleCatalog } from '../../src/database/guard/access-policy.ts';
import type { AccessPolicy } from '../../src/database/index.ts';
import { createRandom } from '../../src/demo/motors/random.ts';

export type Value = string | number | null;
export type ColumnKind = 'number' | 'text';

export interface TenantColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** SQL of the mask, and the same in JavaScript for the database that holds masked values. */
  readonly mask?: { readonly sql: string; readonly apply: (row: Readonly<Record<string, Value>>) => Value };
}

export interface TenantTable {
  readonly name: string;
  readonly columns: readonly TenantColumn[];
  /** The row filter, and the same in JavaScript. */
  readonly filter?: {
    readonly sql: string;
    readonly holds: (row: Readonly<Record<string, Value>>) => boolean;
  };
  readonly rows: readonly (readonly Value[])[];
  /** Only filters read it; the caller may not. */
  readonly isHidden?: true;
  /** How it is made, where not of rows of its own; see `reading-tables.ts`. */
  readonly made?: MadeTable;
}

/** What a table is that shows rows of other tables. */
export interface MadeTable {
  readonly kind: string;
  readonly create: readonly string[];
  /** The owner says that it may be read, under its own filter and masks. */
  readonly isTrusted?: true;
  /** The engine keeps it for another table; no catalog has it. */
  readonly isInternal?: true;
}

/** Stands in every text of the other tenant, and in every text that is masked: neither may ever come out. */
export const FOREIGN = 'foreign';
export const SECRET = 'secret';
/** Every number of the other tenant is at least this; of a number that is masked, a multiple. */
export const FOREIGN_NUMBER = 7_000_001;

export const PROPERTIES = { tenant: 1 };

const REGIONS = ['north', 'south', 'east', 'west', null] as const;
/** The first tenant's regions; `west` and a row without one belong to nobody it may see. */
const OWN_REGIONS: readonly Value[] = ['north', 'south', 'east'];
const MASKED_LETTERS = 'abcdef';

const text = (name: string): TenantColumn => ({ name, kind: 'text' });
const number = (name: string): TenantColumn => ({ name, kind: 'number' });

const isOwn = ({ tenant }: Readonly<Record<string, Value>>): boolean => tenant === 1;

/** The tables of rows of their own, in the names and SQL that every engine understands; two of them need quotes. */
export function twoTenants(quote: '"' | '`'): readonly TenantTable[] {
  const random = createRandom(7);
  const own = (tenant: number, word: string): string => (tenant === 1 ? word : `${FOREIGN} ${word}`);
  const amount = (tenant: number): number => random.integer(1, 20) + (tenant === 1 ? 0 : FOREIGN_NUMBER);
  const region = (): Value => random.pick(REGIONS);
  const tenants = [1, 2, 1, 2, 2, 1, 1, 2];
  const customers = Array.from({ length: 16 }, (_, index): readonly Value[] => {
    const tenant = tenants[index % tenants.length] ?? 1;
    const letter = random.pick([...MASKED_LETTERS]);
    const score = random.chance(0.2) ? null : random.integer(1, 9) * FOREIGN_NUMBER;
    return [
      index + 1,
      tenant,
      own(tenant, `name ${index % 5}`),
      `${letter} ${SECRET} ${index}`,
      region(),
      score,
    ];
  });
  const orders = Array.from({ length: 40 }, (_, index): readonly Value[] => {
    const tenant = tenants[(index * 3) % tenants.length] ?? 1;
    const customer = random.chance(0.1) ? null : random.integer(1, 18);
    const note = random.chance(0.3) ? null : `${SECRET} ${index % 7}`;
    return [index + 1, tenant, customer, amount(tenant), own(tenant, `2024-0${(index % 9) + 1}-01`), note];
  });
  const ordersOfOwn = new Set(orders.filter((row) => row[1] === 1).map((row) => row[0] ?? null));
  const lines = Array.from({ length: 60 }, (_, index): readonly Value[] => {
    const order = random.integer(1, 42);
    const word = ordersOfOwn.has(order) ? `sku ${index % 6}` : `${FOREIGN} sku ${index % 6}`;
    return [index + 1, order, word, random.integer(1, 5), random.integer(1, 9) * FOREIGN_NUMBER];
  });
  const q = (name: string): string => `${quote}${name}${quote}`;
  return [
    {
      name: 'customers',
      columns: [
        ...[number('id'), number('tenant'), text('name')],
        {
          ...text('email'),
          mask: { sql: 'SUBSTR(email, 1, 1)', apply: ({ email }) => String(email).slice(0, 1) },
        },
        text('region'),
        { ...number('score'), mask: { sql: 'NULL', apply: () => null } },
      ],
      filter: { sql: 'tenant = :tenant', holds: isOwn },
      rows: customers,
    },
    {
      name: 'orders',
      columns: [
        ...[number('id'), number('tenant'), number('customer_id'), number('amount'), text('day')],
        { ...text('note'), mask: { sql: 'NULL', apply: () => null } },
      ],
      // Without brackets, and NULL for some rows: the filter must bring its own brackets.
      filter: { sql: 'tenant = :tenant OR amount < 0', holds: isOwn },
      rows: orders,
    },
    {
      name: 'Order Lines',
      columns: [
        ...[number('id'), number('order_id'), text('Sku'), number('qty')],
        {
          ...number('price'),
          mask: {
            sql: 'CASE WHEN qty > 2 THEN qty ELSE 0 END',
            apply: ({ qty }) => (Number(qty) > 2 ? (qty ?? null) : 0),
          },
        },
      ],
      filter: {
        sql: `order_id IN (SELECT o.id FROM orders AS o WHERE o.tenant = :tenant)`,
        holds: ({ order_id: id }) => ordersOfOwn.has(id ?? null),
      },
      rows: lines,
    },
    {
      name: 'regions',
      columns: [text('region')],
      filter: {
        sql: `region IN (SELECT r.region FROM ${q('rights')} AS r WHERE r.tenant = :tenant)`,
        holds: ({ region: name }) => OWN_REGIONS.includes(name ?? null),
      },
      rows: [...REGIONS.slice(0, 4).map((name) => [name]), [`${FOREIGN} region`]],
    },
    {
      name: 'rates',
      columns: [text('region'), number('rate')],
      rows: REGIONS.map((name, index) => [name, index]),
    },
    {
      name: 'rights',
      columns: [number('tenant'), text('region')],
      rows: [...OWN_REGIONS.map((name) => [1, name]), [2, 'west'], [2, `${FOREIGN} region`]],
      isHidden: true,
    },
  ];
}

/** The rows the first tenant may see, with the values it may see: computed without any SQL of ours. */
export function ownRows({ columns, rows, filter }: TenantTable): readonly (readonly Value[])[] {
  return rows
    .map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])))
    .filter((row) => filter?.holds(row) ?? true)
    .map((row) =>
      columns.map(({ name, mask }) => (mask === undefined ? (row[name] ?? null) : mask.apply(row))),
    );
}

/** The statements that make the tables; `whole` has all rows, else those of the first tenant. */
export function creationOf(
  all: readonly TenantTable[],
  { quote, isWhole }: { readonly quote: '"' | '`'; readonly isWhole: boolean },
): readonly string[] {
  const q = (name: string): string => `${quote}${name}${quote}`;
  const literal = (value: Value): string =>
    value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
  // What is made of other tables is made when they have their rows.
  const own = all.filter(({ made }) => made === undefined);
  const stored = own.flatMap((table) => {
    const columns = table.columns.map(({ name, kind }) => `${q(name)} ${TYPES[kind]}`);
    const rows = isWhole ? table.rows : ownRows(table);
    const values = rows.map((row) => `(${row.map(literal).join(', ')})`);
    return [
      `CREATE TABLE ${q(table.name)} (${columns.join(', ')})`,
      `INSERT INTO ${q(table.name)} VALUES ${values.join(', ')}`,
    ];
  });
  return [...stored, ...all.flatMap(({ made }) => made?.create ?? [])];
}

/** Known to SQLite, DuckDB, PostgreSQL and MariaDB alike. */
const TYPES: Readonly<Record<ColumnKind, string>> = { number: 'INTEGER', text: 'VARCHAR(60)' };

const idOf = (name: string): string => name.toLowerCase();

/** `schema` is the one that a bare name reaches; absent where the engine's schema does not tell. */
export function catalogOf(tables: readonly TenantTable[], schema: string | undefined): VisibleCatalog {
  return {
    tables: tables.map(({ name, columns }) => ({
      id: idOf(name),
      name,
      schema,
      ownsRows: true,
      columns: columns.map((column) => ({
        id: `${idOf(name)}.${column.name.toLowerCase()}`,
        name: column.name,
        type: TYPES[column.kind],
      })),
    })),
  };
}

export function policyOf(tables: readonly TenantTable[]): AccessPolicy {
  return {
    visibleTables: tables
      .filter(({ isHidden, made }) => isHidden !== true && made?.isInternal !== true)
      .map(({ name }) => idOf(name)),
    trustedViews: tables.filter(({ made }) => made?.isTrusted === true).map(({ name }) => idOf(name)),
    rowFilters: new Map(
      tables.flatMap(({ name, filter }) => (filter ? [[idOf(name), filter.sql] as const] : [])),
    ),
    columnMasks: new Map(
      tables.flatMap(({ name, columns }) =>
        columns.flatMap((column) =>
          column.mask ? [[`${idOf(name)}.${column.name.toLowerCase()}`, column.mask.sql] as const] : [],
        ),
      ),
    ),
  };
}
