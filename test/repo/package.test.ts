import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SYSTEM_TESTS } from '../../vitest.config.ts';
import { ROOT, readSources } from './read-imports.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const MANIFEST = z.object({
  files: z.array(z.string()),
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
  exports: z.record(z.string(), z.object({ types: z.string() })),
});
const LOCK = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      resolved: z.string().optional(),
    }),
  ),
});

const manifest = MANIFEST.parse(JSON.parse(read('package.json')));
const lock = LOCK.parse(JSON.parse(read('package-lock.json')));
/** Imported where they are asked for, in files that are imported then; the walls say which. */
const peers = Object.keys(manifest.peerDependencies);
const runtime = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
/** In the bundle: they are needed to build it, and named in NOTICE. */
const builtIn = z.array(z.string()).parse(JSON.parse(read('scripts/built-in.json')));

/** Ship prebuilt binaries and only fall back to a build, which is switched off; the tests run without it. */
const SCRIPTS_NOT_NEEDED = ['@photostructure/sqlite'];

describe('the package', () => {
  it('needs no install script at run time', () => {
    const scripted = Object.entries(lock.packages)
      .filter(([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(scripted.filter((name) => !SCRIPTS_NOT_NEEDED.includes(name))).toEqual([]);
  });

  it('pins every version and says in a decision why it is there', () => {
    const decision = read('docs/decisions/0006-dependencies.md');
    const all = {
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    };
    for (const [name, version] of Object.entries(all)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
      expect(decision, name).toContain(`| ${name} |`);
    }
    const rows = [...decision.matchAll(/^\| (@?[\w/-]+) \|/gm)].map(([, name]) => name);
    expect(rows.filter((name) => name !== 'package' && !(name! in all))).toEqual([]);
  });

  it('imports nothing at run time that it does not declare', () => {
    const undeclared = readSources('src')
      .filter(({ path }) => !path.endsWith('.test.ts'))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
          .map(({ specifier }) => ({
            path,
            name: specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'),
          })),
      )
      .filter(({ name }) => ![...runtime, ...peers, ...builtIn].includes(name));
    expect(undeclared).toEqual([]);
  });

  it('names what it has built in, and takes it from what it builds with', () => {
    const declared = { ...manifest.devDependencies, ...manifest.dependencies };
    expect(builtIn.filter((name) => !(name in declared))).toEqual([]);
    // What installs a package beside the bundle says so here: adapters of the server take zod for their peer.
    expect(builtIn.filter((name) => name in manifest.dependencies)).toEqual(['zod']);
    expect(builtIn.filter((name) => !read('NOTICE').includes(`npm package ${name},`))).toEqual([]);
  });

  it('builds every process and thread that the sources start from a path', () => {
    const started = readSources('src')
      .filter(({ path }) => !path.endsWith('.test.ts'))
      .flatMap(({ path, code }) =>
        code.includes('import.meta.url')
          ? [...code.matchAll(/'((?:\.{1,2}\/)+[\w/-]+)(?:\.js)?'/g)].map(([, place]) =>
              posix.join(posix.dirname(path), place!),
            )
          : [],
      )
      .filter((path) => existsSync(join(ROOT, `${path}.ts`)))
      .map((path) => path.replace(/^src\//, ''));
    expect(started.sort()).toEqual(
      expect.arrayContaining([
        'cli/main',
        'database/embedded/executor',
        'model/embeddings/encoder',
        'model/gguf/runner',
      ]),
    );
    const entries = z.array(z.string()).parse(JSON.parse(read('scripts/entries.json')));
    expect(started.filter((path) => !entries.includes(path))).toEqual([]);
  });

  it('runs each test of a whole system, where it lies', () => {
    const places = SYSTEM_TESTS.flatMap((pattern) => {
      const [, before = pattern, names, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
      return names === undefined ? [pattern] : names.split(',').map((name) => `${before}${name}${after}`);
    });
    expect(places.length).toBeGreaterThan(40);
    expect(places.filter((place) => !existsSync(join(ROOT, place)))).toEqual([]);
  });

  it('declares no package that nothing imports', () => {
    const text = readSources('src')
      .map(({ code }) => code)
      .join('\n');
    expect(runtime.filter((name) => !text.includes(`'${name}`))).toEqual([]);
  });

  it('installs from the public registry only', () => {
    const hosts = Object.values(lock.packages).flatMap(({ resolved }) =>
      resolved ? [new URL(resolved).host] : [],
    );
    expect([...new Set(hosts)].filter((host) => host !== 'registry.npmjs.org')).toEqual([]);
  });

  it.skipIf(!existsSync(join(ROOT, 'dist/web/index.html')))(
    'holds each thing once, in the form that is used',
    () => {
      const built = readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' });
      expect(built.filter((path) => path.endsWith('.gz') || path.endsWith('.tsbuildinfo'))).toEqual([]);
      expect(built.filter((path) => path.endsWith('.br') && built.includes(path.slice(0, -3)))).toEqual([]);
      // What can be imported has its declarations, and what cannot has none.
      const faces = Object.values(manifest.exports).map(({ types }) => types.replace('./dist/', ''));
      expect(built.filter((path) => path.endsWith('.d.ts')).sort()).toEqual(faces.sort());
      for (const face of faces) {
        const text = read(join('dist', face));
        expect(text).toMatch(/^export \{/m);
        expect([...text.matchAll(/\bfrom ['"](\.[^'"]*)['"]/g)].map(([, path]) => path)).toEqual([]);
      }
    },
  );

  it('publishes what its documents point to', () => {
    for (const part of ['dist', 'examples', 'docs', 'README.md', 'LICENSE', 'NOTICE'])
      expect(manifest.files).toContain(part);
    expect(read('LICENSE')).toContain('Apache License');
  });
});
