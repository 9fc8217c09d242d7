import { describe, expect, it } from 'vitest';
import { measureHouse } from './house.ts';
import { readImports, readSources } from './read-imports.ts';

/** A house of sources as they would be read from files. */
const houseOf = (texts: Readonly<Record<string, string>>) =>
  measureHouse(
    Object.entries(texts).map(([path, text]) => ({
      path,
      text,
      code: text,
      imports: readImports(path, text),
    })),
  );

/** What the house has come to: the figures may fall, and then fall here. */
const REACHED = { files: 1650, small: 40, mutual: 8, entries: 1, names: 1 };

const long = '\n'.repeat(60);

describe('the house', () => {
  const house = measureHouse(readSources('src').filter(({ path }) => !path.endsWith('.test.ts')));

  it.each(['small', 'mutual', 'entries', 'names'] as const)('has no more places of the kind %s', (kind) =>
    expect(house[kind].length, house[kind].join('\n')).toBeLessThanOrEqual(REACHED[kind]),
  );

  it('has no more files', () => expect(house.files).toBeLessThanOrEqual(REACHED.files));
});

describe('the measure of the house', () => {
  it.each([
    ['of one importer', { 'src/a.ts': "import { b } from './b.ts';", 'src/b.ts': '' }, ['src/b.ts']],
    ['of many lines', { 'src/a.ts': "import { b } from './b.ts';", 'src/b.ts': long }, []],
    [
      'of two importers',
      {
        'src/a.ts': "import { b } from './b.ts';",
        'src/c.ts': "import { b } from './b.ts';",
        'src/b.ts': '',
      },
      [],
    ],
    ['handed on by a face', { 'src/a/index.ts': "export { b } from './b.ts';", 'src/a/b.ts': '' }, []],
  ])('knows a small file %s', (_, texts, small) => expect(houseOf(texts).small).toEqual(small));

  it.each([
    ['side by side', 'src/a/one.ts', 'src/b/two.ts', ['src/a ↔ src/b']],
    ['of different depth', 'src/a/one.ts', 'src/a/c/two.ts', ['src/a ↔ src/a/c']],
    ['that are one', 'src/a/one.ts', 'src/a/two.ts', []],
  ])('finds folders %s that import each other', (_, one, other, mutual) => {
    const texts = { [one]: `import { b } from '/${other}';`, [other]: `import { a } from '/${one}';` };
    const sources = Object.entries(texts).map(([path, text]) => {
      const target = path === one ? other : one;
      return { path, text, code: text, imports: [{ specifier: target, target, isTypeOnly: false }] };
    });
    expect(measureHouse(sources).mutual).toEqual(mutual);
    expect(measureHouse(sources.slice(1)).mutual).toEqual([]);
  });

  it('counts files and folders of a folder, and names of a face', () => {
    const files = Array.from({ length: 15 }, (_, at) => [`src/a/f${at}.ts`, ''] as const);
    const names = Array.from({ length: 31 }, (_, at) => `n${at}`).join(', ');
    expect(houseOf(Object.fromEntries(files)).entries).toEqual([]);
    const full = houseOf({
      ...Object.fromEntries(files),
      'src/a/b/index.ts': `export { ${names} } from './n.ts';`,
    });
    expect(full.entries).toEqual(['16 src/a']);
    expect(full.names).toEqual(['31 src/a/b/index.ts']);
    expect(full.files).toBe(16);
  });
});
