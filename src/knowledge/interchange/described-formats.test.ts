/** Laws of the formats that describe tables: dbt, BIRD, DataHub, OpenMetadata. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { arbitraryModel } from '../../../test/fixtures/interchange/arbitrary-model.ts';
import { CandorError } from '../../errors.ts';
import { type FileModel, SEMANTIC_FILE } from '../semantic/semantic-file.ts';
import { BIRD } from './bird/index.ts';
import { isCompanion } from './conversion/companion.ts';
import { DATAHUB } from './datahub/index.ts';
import { DBT } from './dbt/index.ts';
import type { ForeignFile, InterchangeFormat } from './foreign/conversion.ts';
import { leanModel } from './foreign/lean-model.ts';
import { exportKnowledge, importKnowledge } from './import-knowledge.ts';
import { OPENMETADATA } from './openmetadata/index.ts';

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');
const fixture = (format: InterchangeFormat, ...paths: readonly string[]): ForeignFile[] =>
  paths.map((path) => ({ path, text: read(`test/fixtures/interchange/${format.name}/${path}`) }));

const FORMATS: readonly { name: string; format: InterchangeFormat; files: readonly ForeignFile[] }[] = [
  { name: 'dbt YAML', format: DBT, files: fixture(DBT, 'project/models.yml') },
  { name: 'dbt manifest', format: DBT, files: fixture(DBT, 'target/manifest.json', 'target/catalog.json') },
  { name: 'BIRD', format: BIRD, files: fixture(BIRD, 'shop/database_description/orders.csv') },
  { name: 'DataHub', format: DATAHUB, files: fixture(DATAHUB, 'shop.json') },
  {
    name: 'OpenMetadata',
    format: OPENMETADATA,
    files: fixture(OPENMETADATA, 'shop/tables.json', 'shop/metrics.json', 'shop/glossaryTerms.json'),
  },
  {
    name: 'OpenMetadata CSV',
    format: OPENMETADATA,
    files: fixture(OPENMETADATA, 'columns.csv', 'glossary.csv'),
  },
];
const WRITTEN = FORMATS.filter(({ name }) => ['dbt YAML', 'BIRD', 'DataHub', 'OpenMetadata'].includes(name));

const motors = (): FileModel => {
  const file = SEMANTIC_FILE.parse(parse(read('examples/motors/semantics/motors.yml')));
  const [model] = file.semantic_model;
  if (model === undefined) throw new Error('Motors has a model');
  return model;
};

describe.each(WRITTEN)('$name', ({ format }) => {
  it('gives back every model that it was given, with its companion', () => {
    fc.assert(
      fc.property(arbitraryModel, (model) => {
        const { files } = exportKnowledge(format, { models: [model], examples: [] });
        const { models } = importKnowledge(format, files);
        expect(models.map(leanModel)).toEqual([leanModel(model)]);
      }),
      { numRuns: 100 },
    );
  });

  it('reports a loss wherever a model comes back changed without its companion', () => {
    fc.assert(
      fc.property(arbitraryModel, (model) => {
        const { files, losses } = exportKnowledge(format, { models: [model], examples: [] });
        const alone = files.filter(({ path }) => !isCompanion(path));
        const back = importKnowledge(format, alone).models.map(leanModel);
        expect(losses.length > 0).toBe(JSON.stringify(back) !== JSON.stringify([leanModel(model)]));
      }),
      { numRuns: 100 },
    );
  });

  it('gives back Motors whole', () => {
    const { files } = exportKnowledge(format, { models: [motors()], examples: [] });
    expect(importKnowledge(format, files).models.map(leanModel)).toEqual([leanModel(motors())]);
  });

  it('lets the words of other tools through', () => {
    const model = motors();
    const block = { vendor_name: 'ACME', data: { keep: [1, { me: null }] } };
    const marked = {
      ...model,
      custom_extensions: [...model.custom_extensions, block],
      datasets: model.datasets.map((item) => ({
        ...item,
        custom_extensions: [...item.custom_extensions, block],
      })),
    };
    const { files } = exportKnowledge(format, { models: [marked], examples: [] });
    const [back] = importKnowledge(format, files).models;
    expect(back?.custom_extensions).toContainEqual(block);
    expect(
      back?.datasets.every((item) => item.custom_extensions.some((own) => own.vendor_name === 'ACME')),
    ).toBe(true);
  });

  it('keeps what somebody has changed since in the foreign file', () => {
    const { files } = exportKnowledge(format, { models: [motors()], examples: [] });
    const edited = files.map((file) =>
      isCompanion(file.path)
        ? file
        : { ...file, text: file.text.replaceAll('1 largest markets to 3 smallest', 'Size of the city') },
    );
    const [back] = importKnowledge(format, edited).models;
    const field = back?.datasets
      .find(({ name }) => name === 'areas')
      ?.fields.find(({ description }) => description === 'Size of the city');
    expect(field).toBeDefined();
  });
});

/** One part of a text replaced, cut out or doubled. */
const MUTATION = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(40),
  text: fc.constantFrom(
    '',
    '"',
    '{',
    '[',
    ']',
    'null',
    '1e999',
    '__proto__',
    '\n',
    ',',
    ':',
    '\u0000',
    "{{ Dimension('a__b') }}",
    '- x: &a [*a]',
    '12345678901234567890',
    'false',
    '[]',
    '{}',
  ),
});

describe.each(FORMATS)('hostile input: $name', ({ format, files }) => {
  it('refuses or reads whatever a file has become', () => {
    fc.assert(
      fc.property(
        fc.nat(files.length - 1),
        fc.array(MUTATION, { minLength: 1, maxLength: 3 }),
        (which, mutations) => {
          const broken = files.map((file, index) =>
            index === which ? { ...file, text: mutate(file.text, mutations) } : file,
          );
          try {
            const { models } = importKnowledge(format, broken);
            SEMANTIC_FILE.parse({ semantic_model: models });
          } catch (error) {
            if (!(error instanceof CandorError) || error.code !== 'interchange.invalid') throw error;
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reads or refuses values of other kinds anywhere in a document', () => {
    const json = files.filter(({ path }) => path.endsWith('.json'));
    fc.assert(
      fc.property(
        fc.nat(Math.max(0, json.length - 1)),
        fc.nat(100_000),
        fc.jsonValue({ maxDepth: 2 }),
        (which, step, value) => {
          const target = json[which];
          if (target === undefined) return;
          const changed = {
            ...target,
            text: JSON.stringify(replaceAt(JSON.parse(target.text), step, value)),
          };
          try {
            const { models } = importKnowledge(
              format,
              files.map((file) => (file === target ? changed : file)),
            );
            SEMANTIC_FILE.parse({ semantic_model: models });
          } catch (error) {
            if (!(error instanceof CandorError) || error.code !== 'interchange.invalid') throw error;
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('refuses nesting of ten thousand levels with its place', () => {
    const [first] = files;
    const depth = 10_000;
    const text = first?.path.endsWith('.csv')
      ? '"'.repeat(depth * 2 + 1)
      : `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const deep = { path: first?.path ?? '', text };
    expect(() => format.import([deep])).toThrow(/:\d+:\d+: /);
  });
});

function mutate(text: string, mutations: readonly { at: number; length: number; text: string }[]): string {
  return mutations.reduce((result, mutation) => {
    const at = Math.floor(mutation.at * result.length);
    return result.slice(0, at) + mutation.text + result.slice(at + mutation.length);
  }, text);
}

/** The document with another value at the n-th place of it. */
function replaceAt(document: unknown, step: number, value: unknown): unknown {
  const places: { readonly holder: Record<string, unknown> | unknown[]; readonly key: string }[] = [];
  const collect = (item: unknown): void => {
    if (typeof item !== 'object' || item === null) return;
    for (const key of Object.keys(item)) {
      places.push({ holder: item as Record<string, unknown>, key });
      collect((item as Record<string, unknown>)[key]);
    }
  };
  collect(document);
  const place = places[step % Math.max(1, places.length)];
  if (place !== undefined) (place.holder as Record<string, unknown>)[place.key] = value;
  return document;
}
