/** Statements that make a table of mixed columns inside any of the four engines, so that no row has to be sent. */
export type ProfiledEngine = 'sqlite' | 'duckdb' | 'postgres' | 'mariadb';

export interface MixedTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
}

interface EngineSql {
  /** Rows numbered by `i`, from 1 to `{n}`. */
  readonly head: string;
  readonly from: string;
  readonly day: string;
  readonly moment: string;
  readonly types: Readonly<Record<Kind, string>>;
}

type Kind = 'key' | 'integer' | 'double' | 'decimal' | 'day' | 'moment' | 'text' | 'boolean';

const TYPES = {
  key: 'INTEGER PRIMARY KEY',
  integer: 'INTEGER',
  double: 'DOUBLE PRECISION',
  decimal: 'DECIMAL(10, 2)',
  day: 'DATE',
  moment: 'TIMESTAMP',
  text: 'VARCHAR(200)',
  boolean: 'BOOLEAN',
} as const;

const ENGINE_SQL: Readonly<Record<ProfiledEngine, EngineSql>> = {
  sqlite: {
    head: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {n}) ',
    from: 'n',
    day: "DATE('2020-01-01', '+' || ({k}) || ' days')",
    moment: "DATETIME(1577836800 + {k}, 'unixepoch')",
    types: TYPES,
  },
  duckdb: {
    head: '',
    from: 'range(1, {n} + 1) AS n(i)',
    day: "DATE '2020-01-01' + CAST({k} AS INTEGER)",
    moment: "TIMESTAMP '2020-01-01' + INTERVAL ({k}) SECOND",
    types: TYPES,
  },
  postgres: {
    head: '',
    from: 'generate_series(1, CAST({n} AS BIGINT)) AS n(i)',
    day: "DATE '2020-01-01' + CAST({k} AS INTEGER)",
    moment: "TIMESTAMP '2020-01-01' + ({k}) * INTERVAL '1 second'",
    types: TYPES,
  },
  mariadb: {
    head: '',
    from: '(SELECT seq AS i FROM seq_1_to_{n}) AS n',
    day: "DATE_ADD('2020-01-01', INTERVAL ({k}) DAY)",
    moment: "DATE_ADD('2020-01-01', INTERVAL ({k}) SECOND)",
    types: { ...TYPES, moment: 'DATETIME' },
  },
};

/** The columns in turn; a later round takes other numbers. `{i}` is a number of the row. */
const COLUMNS: readonly { readonly name: string; readonly kind: Kind; readonly value: string }[] = [
  { name: 'customer_ref', kind: 'integer', value: '({i} * 7919) % 50021' },
  { name: 'amount', kind: 'double', value: '(({i} * 104729) % 1000003) / 100.0' },
  { name: 'quantity', kind: 'integer', value: '1 + ({i} * 31) % 10' },
  { name: 'price', kind: 'decimal', value: '(({i} * 613) % 90001) / 100.0' },
  { name: 'day', kind: 'day', value: '({i} * 17) % 1500' },
  { name: 'created', kind: 'moment', value: '({i} * 4241) % 50000017' },
  { name: 'status', kind: 'text', value: "CONCAT('state ', ({i} * 13) % 6)" },
  { name: 'city', kind: 'text', value: "CONCAT('City ', ({i} * 389) % 499)" },
  { name: 'label', kind: 'text', value: "CONCAT('Label of ', ({i} * 6007) % 200003)" },
  { name: 'number', kind: 'text', value: "CONCAT('AB-', 10000000 + {i})" },
  {
    name: 'remark',
    kind: 'text',
    value:
      "CASE WHEN {i} % 5 < 4 THEN CONCAT('A longer remark about row ', {i}, ' as people write them in forms, sentence by sentence.') END",
  },
];

/** CREATE TABLE and INSERT … SELECT for one engine; the table is filled when both have run. */
export function makeMixedTable(
  engine: ProfiledEngine,
  { name, rows, columns }: MixedTable,
): readonly string[] {
  const { head, from, day, moment, types } = ENGINE_SQL[engine];
  const made = Array.from({ length: columns - 1 }, (_, index) => {
    const column = COLUMNS[index % COLUMNS.length] ?? COLUMNS[0]!;
    const round = Math.floor(index / COLUMNS.length);
    const number = round === 0 ? 'i' : `(i + ${round * 7})`;
    const value = column.value.replaceAll('{i}', number);
    const written = column.kind === 'day' ? day : column.kind === 'moment' ? moment : '{k}';
    return {
      declared: `${column.name}_${round} ${types[column.kind]}`,
      value: written.replaceAll('{k}', value),
    };
  });
  const declared = [`id ${types.key}`, ...made.map((column) => column.declared)].join(', ');
  const values = ['i', ...made.map((column) => column.value)].join(', ');
  return [
    `CREATE TABLE ${name} (${declared})`,
    `INSERT INTO ${name} ${head}SELECT ${values} FROM ${from}`.replaceAll('{n}', String(rows)),
  ];
}
