/** A database every cell of which is like no other text: what a prompt holds of it is found by looking. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Config, projectConfig } from '../../../src/config/index.ts';

const ROWS = 60;
/** Every text cell begins with a word that the question has, so that values like it are looked up and found. */
export const NEAR_WORD = 'qarvolin';

type Cells = readonly (string | number)[];

const clients = Array.from(
  { length: ROWS },
  (_, at): Cells => [
    7_310_001 + at * 7,
    `Qarvolin Xu${at}vez`,
    `Qarvolin Zy${at}pham`,
    `QV-${8_100 + at * 3}-K`,
    `1871-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 27) + 1).padStart(2, '0')}`,
    5_513.25 + at * 17.5,
    // Few enough for a prompt to list all of them.
    `Qarvolin Tq${at % 20}lor`,
  ],
);
const visits = Array.from(
  { length: ROWS },
  (_, at): Cells => [
    9_410_003 + at * 11,
    7_310_001 + at * 7,
    `Qarvolin note wj${at}kx, long enough to be a sentence of its own`,
    `1873-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 27) + 1).padStart(2, '0')} 03:0${at % 10}:17`,
  ],
);

/** Every cell as a prompt would write it; numbers of seven digits, days, and texts that stand nowhere else. */
export const CANARIES: readonly string[] = [
  ...new Set([...clients, ...visits].flat().map(String)),
  // What a cut or folded text would still give away.
  ...clients.map(([, name]) => String(name).slice('Qarvolin '.length)),
  ...clients.map(([, , city]) => String(city).slice('Qarvolin '.length).toLowerCase()),
];

const TABLES = [
  'CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR, code VARCHAR, joined DATE, balance DOUBLE, tier VARCHAR)',
  'CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id), remark VARCHAR, seen_at TIMESTAMP)',
];
const COMMENTS = [
  `COMMENT ON TABLE clients IS 'people who come to us'`,
  `COMMENT ON COLUMN clients.city IS 'where the client lives'`,
];

export interface CanaryWorld {
  readonly config: Config;
  remove(): Promise<void>;
}

export async function makeCanaryWorld(engine: 'duckdb' | 'sqlite'): Promise<CanaryWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-canary-'));
  const path = join(folder, engine === 'duckdb' ? 'shop.duckdb' : 'shop.db');
  const inserts = [insert('clients', clients), insert('visits', visits)];
  if (engine === 'duckdb') {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const sql of [...TABLES, ...COMMENTS, ...inserts]) await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
  } else {
    const file = new DatabaseSync(path);
    for (const sql of [...TABLES, ...inserts]) file.exec(sql);
    file.close();
  }
  const config: Config = { ...projectConfig(folder, `${engine}:${path}`), today: '2024-10-01' };
  await writePairs(config);
  return { config, remove: () => rm(folder, { recursive: true, force: true }) };
}

function insert(table: string, rows: readonly Cells[]): string {
  const literal = (cell: string | number): string => (typeof cell === 'number' ? String(cell) : `'${cell}'`);
  return `INSERT INTO ${table} VALUES ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')}`;
}

/** Verified pairs with cells in question and query, and a note that people wrote without any. */
async function writePairs(config: Config): Promise<void> {
  await mkdir(config.examplesDirectory, { recursive: true });
  await mkdir(config.knowledgeDirectory, { recursive: true });
  const pairs = [
    [
      `Which clients live in ${clients[4]?.[2]}?`,
      `SELECT name FROM clients WHERE city = '${clients[4]?.[2]}'`,
    ],
    [
      `Which clients of the city have the code ${clients[9]?.[3]} or a balance over ${clients[9]?.[5]}?`,
      `SELECT name FROM clients -- as ${clients[9]?.[1]} wished\nWHERE code = '${clients[9]?.[3]}' OR balance > ${clients[9]?.[5]}`,
    ],
    [
      `How many clients joined after ${clients[2]?.[4]}?`,
      `SELECT count(*) FROM clients WHERE joined > DATE '${clients[2]?.[4]}'`,
    ],
  ];
  for (const [at, [question, sql]] of pairs.entries())
    await writeFile(join(config.examplesDirectory, `pair-${at}.sql`), `-- question: ${question}\n${sql}\n`);
}
