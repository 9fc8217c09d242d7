import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pluralize from 'pluralize';
import { describe, expect, it } from 'vitest';
import { singularOf } from './inflection.ts';
import { nameWords } from './split-words.ts';

const DATA = process.env.CANDOR_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
const SCHEMAS = ['spider/tables.json', 'ambidb/tables.json', 'bird/dev/dev_tables.json'];
const ALL = [...SCHEMAS, 'bird/train/schemas.jsonl', 'spider2_snow/schema.jsonl.gz'];

/** The names of all tables of the benchmarks, each once. */
function tableNames(): string[] {
  const read = (path: string) => readFileSync(join(DATA, path));
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');
  const listed = SCHEMAS.flatMap((path) =>
    (JSON.parse(read(path).toString()) as { table_names_original: string[] }[]).flatMap(
      (schema) => schema.table_names_original,
    ),
  );
  const created = lines(read('bird/train/schemas.jsonl').toString()).flatMap((line) =>
    [...(JSON.parse(line) as { schema: string }).schema.matchAll(/create table\s+["`]?(\w+)/gi)].map(
      ([, name = '']) => name,
    ),
  );
  const snow = lines(gunzipSync(read('spider2_snow/schema.jsonl.gz')).toString()).map(
    (line) => (JSON.parse(line) as { table: string }).table,
  );
  return [...new Set([...listed, ...created, ...snow])];
}

/** Names of places, of which there is one each. */
const PLACES = new Set(['hawaii', 'mississippi', 'missouri']);

describe.skipIf(!ALL.every((path) => existsSync(join(DATA, path))))('tables of the benchmarks', () => {
  const names = tableNames();
  const nouns = [...new Set(names.map((name) => nameWords(name).at(-1) ?? ''))].filter((word) =>
    /^[a-z]{4,}$/.test(word),
  );

  it('are some thousand', () => expect(names.length).toBeGreaterThan(3_000));

  it('have singulars of which none has another', () => {
    expect(nouns.filter((noun) => singularOf(singularOf(noun)) !== singularOf(noun))).toEqual([]);
  });

  it('are found by the plural of their singular', () => {
    const lost = nouns.filter((noun) => singularOf(pluralize.plural(singularOf(noun))) !== singularOf(noun));
    expect(lost.filter((noun) => !PLACES.has(noun))).toEqual([]);
  });

  it('split into the letters and digits that they are written with', () => {
    const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    expect(names.filter((name) => nameWords(name).join('') !== plain(name))).toEqual([]);
    expect(
      names.filter((name) => nameWords(nameWords(name).join('_')).join() !== nameWords(name).join()),
    ).toEqual([]);
  });
});
