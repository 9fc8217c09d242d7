/** The built program on each Node that is supported: the one that runs the tests, and those of `scripts/install-nodes.mjs`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = join(root, 'dist/cli/main.js');
const QUESTION = 'number of test drives per month in 2023';
const nodes = join(root, '.cache/nodes');
const others = existsSync(nodes) ? readdirSync(nodes).sort() : [];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-nodes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(node: string, argv: readonly string[], cwd = folder) {
  // Node keeps what it compiled in the home folder: that of whoever runs the tests is not theirs to write to.
  const { status, stdout, stderr } = spawnSync(node, [PROGRAM, ...argv], {
    cwd,
    env: { ...process.env, HOME: folder },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** The demo made and asked by one Node: what scripts would read of the answer, and the SQL. */
function answerOf(node: string, name: string) {
  expect(start(node, ['--version'])).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
  const made = start(node, ['demo', '--dir', name]);
  expect(made.status, made.stderr).toBe(0);
  const asked = start(node, ['ask', '--output', 'json', QUESTION], join(folder, name));
  expect({ ...asked, stdout: '' }).toEqual({ status: 0, stdout: '', stderr: '' });
  const { kind, sql, columns, rows } = JSON.parse(asked.stdout);
  expect(rows).toHaveLength(12);
  return { kind, sql, columns, rows };
}

describe('the built program', () => {
  let expected: ReturnType<typeof answerOf>;
  it('makes the demo and answers', () => {
    expected = answerOf(process.execPath, 'here');
  });

  it.each(others)('does the same on Node %s', (version) => {
    const node = join(nodes, version, 'package/bin/node');
    expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).toBe(`v${version}\n`);
    expect(answerOf(node, version)).toEqual(expected);
    // Once more, from what the first starts have left compiled.
    const again = start(node, ['ask', '--output', 'json', QUESTION], join(folder, version));
    expect(again).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(again.stdout).rows).toEqual(expected.rows);
  });

  if (others.length === 0)
    it.skip('does the same on the Nodes that scripts/install-nodes.mjs gets', () => {});
});
