/** Right queries and the same with one definition broken, over three projects: each is named, and nothing that is right. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AlteredLine, readAlteredLines } from '../../bench/broken-definitions/altered-lines.ts';
import {
  ferrumData,
  openClinic,
  openFerrum,
  openMotors,
} from '../../bench/broken-definitions/open-projects.ts';
import { prepareSchemaFacts } from '../../src/faults/index.ts';
import type { Session } from '../../src/session/project/session.ts';
import { diagnoseSql } from '../../src/validation/index.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'definitions');
const LINES = [
  'altered.jsonl',
  'altered-held-out.jsonl',
  'altered-fresh.jsonl',
  'altered-worded.jsonl',
  'altered-everyday.jsonl',
  'altered-clinic.jsonl',
  'right.jsonl',
].flatMap((name) => readAlteredLines(join(FIXTURES, name)));
const linesOf = (project: string): readonly AlteredLine[] => LINES.filter((line) => line.project === project);
const DATA = process.env.CANDOR_DATA;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-altered-definitions-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The texts of an altered query that the right one has not, and those of the right one. */
async function brokenIn(
  sql: string,
  question: string,
  { catalog, semantics }: Session,
): Promise<readonly string[]> {
  const definitions = { semantics, question };
  const { problems } = await diagnoseSql(sql, { schema: prepareSchemaFacts(catalog), definitions });
  expect(
    problems.filter(({ severity }) => severity === 'error'),
    sql,
  ).toEqual([]);
  return problems.flatMap(({ kind, text }) => (kind === 'definition' ? [text] : []));
}

function holds(project: string, session: () => Session): void {
  it.each(linesOf(project).map((line) => [line.id, line.kind, line.question, line] as const))(
    '%s %s: %s',
    async (_, __, question, { sql, altered, what }) => {
      expect(await brokenIn(sql, question, session())).toEqual([]);
      if (altered !== '') expect(await brokenIn(altered, question, session()), what).not.toEqual([]);
    },
  );
}

describe('Motors', () => {
  let session: Session;
  beforeAll(async () => {
    ({ session } = await openMotors(folder, ['motors']));
  });
  afterAll(() => session.close());
  holds('motors', () => session);

  it('a query that joins one table by all its columns forty times is read in a moment', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `orders o${at}`);
    const started = performance.now();
    const broken = await brokenIn(
      `SELECT COUNT(*) FROM ${names.join(' NATURAL JOIN ')}`,
      'orders of women from Carrow to Lakeshore in 2024, deliveries and revenue by province',
      session,
    );
    expect(broken).toContainEqual(expect.stringContaining('the default condition of orders'));
    // It took 15 seconds while every link was looked up anew.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('a clinic', () => {
  let session: Session;
  beforeAll(async () => {
    session = await openClinic(folder);
  });
  afterAll(() => session.close());
  holds('clinic', () => session);
});

// Without the data of Ferrum Freight its half is skipped.
describe.skipIf(!existsSync(ferrumData(DATA)))('Ferrum Freight', () => {
  let session: Session;
  beforeAll(async () => {
    const open = await openFerrum(folder, DATA);
    if (open === undefined) throw new Error('its data is here');
    session = open;
  });
  afterAll(() => session.close());
  holds('ferrum', () => session);
});
