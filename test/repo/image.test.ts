/** The image and the installation of several containers, as far as they can be checked without an engine for containers. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig } from '../../src/config/index.ts';
import { runCandor } from '../e2e/cli/run-candor.ts';
import { ROOT } from './read-imports.ts';

const EXAMPLE = join(ROOT, 'examples/shared');
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
const SERVICE = z.object({
  command: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  stop_grace_period: z.string().optional(),
});
const COMPOSE = z.object({ services: z.record(z.string(), SERVICE) });
const { services } = COMPOSE.parse(parse(read('examples/shared/compose.yaml'), { merge: true }));

it('the image takes only what is there, and lets it through', () => {
  const allowed = read('.dockerignore')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  const copied = read('Dockerfile')
    .split('\n')
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(' ').slice(1, -1));
  expect(copied.length).toBeGreaterThan(8);
  for (const path of copied)
    expect([path, existsSync(join(ROOT, path)), allowed.includes(path)]).toEqual([path, true, true]);
});

it('nobody is root in the last stage, which is asked for its health', () => {
  const last = read('Dockerfile')
    .split(/^FROM /m)
    .at(-1);
  expect(last).toMatch(/^USER 1000:1000$/m);
  expect(last).toMatch(/HEALTHCHECK[\s\S]*127\.0\.0\.1:8713\/health/);
});

it('an installation has two servers, a worker, a state and a proxy, of files that are there', () => {
  expect(Object.keys(services)).toEqual(['postgres', 'server-a', 'server-b', 'worker', 'proxy']);
  for (const { volumes = [] } of Object.values(services))
    for (const [from = ''] of volumes.map((volume) => volume.split(':')))
      expect([from, !from.startsWith('.') || existsSync(join(EXAMPLE, from))]).toEqual([from, true]);
  const proxied = read('examples/shared/Caddyfile').match(/\S+(?=:8713)/g);
  expect(proxied).toEqual(['server-a', 'server-b']);
});

it('containers end later than their grace, and are given options that exist', async () => {
  for (const name of ['server-a', 'worker'] as const) {
    const [command = '', ...words] = services[name]?.command ?? [];
    expect(Number.parseInt(services[name]?.stop_grace_period ?? '', 10)).toBeGreaterThan(12);
    const { stdout } = await runCandor([command, '--help'], ROOT);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(stdout).toContain(option);
  }
});

it('their candor.yml is one', async () => {
  const env = { WAREHOUSE_URL: 'postgresql://reader:a@warehouse/sales', STATE_PASSWORD: 'b' };
  const config = await readConfig({ cwd: EXAMPLE, env });
  expect(config.server.state).toBe('postgresql://candor:b@postgres/candor?pool=8');
  expect(config.jobs.schedule).toMatchObject({ refresh: '0 3 * * *' });
});
