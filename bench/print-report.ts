import { cpus } from 'node:os';
import type { BenchOptions } from './bench-options.ts';

/** What a bench found: one row per size or subject, and figures over all of them. */
export interface BenchReport {
  readonly bench: string;
  /** What was measured, in a sentence. */
  readonly about: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  readonly figures: Readonly<Record<string, number>>;
}

/** Prints the report for people and, with `--output json`, the same as one JSON object on the last line. */
export function printReport(report: BenchReport, { output, isSmoke }: BenchOptions): void {
  const machine = { cores: cpus().length, node: process.versions.node };
  const lines = [
    `${report.bench}: ${report.about}`,
    `${machine.cores} cores, Node ${machine.node}${isSmoke ? ', smoke run: the figures mean nothing' : ''}`,
    '',
    ...layOut(report.rows),
    '',
    ...Object.entries(report.figures).map(([name, value]) => `${name}  ${show(value)}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (output === 'json') {
    const { bench, rows, figures } = report;
    process.stdout.write(`${JSON.stringify({ bench, isSmoke, machine, rows, figures })}\n`);
  }
}

/** Numbers stand right, words left. */
function layOut(rows: BenchReport['rows']): string[] {
  const heads = Object.keys(rows[0] ?? {});
  const lines = [heads, ...rows.map((row) => heads.map((head) => show(row[head] ?? '')))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const isWord = heads.map((head) => typeof rows[0]?.[head] === 'string');
  return lines.map((line) =>
    line
      .map((cell, column) =>
        isWord[column] ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

/** Three digits that mean something: 0.0123, 1.23, 123. */
function show(value: string | number): string {
  if (typeof value === 'string' || Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
