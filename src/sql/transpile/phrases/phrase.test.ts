import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../dialects/dialect.ts';
import { DIALECT_NAMES } from '../../dialects/dialects.ts';
import { walk } from '../../tree/node.ts';
import { partName } from '../translation/match-phrase.ts';
import { PHRASES } from './all-phrases.ts';
import { type Phrase, templateTree, writtenForm } from './phrase.ts';

/** One spelling of a path stands for the others. */
const PATHS = new Set(['_path', '_keys', '_dots']);

function partsOf(template: string, dialect: DialectName): ReadonlySet<string> {
  const { root } = templateTree(template.replace(/^[<>]/, ''), dialect);
  const parts = [...walk(root)].map(partName).filter((part) => part !== undefined);
  return new Set(parts.map((part) => (PATHS.has(part) ? '_path' : part)));
}

function nameOf({ forms }: Phrase): string {
  return forms.duckdb?.[0] ?? Object.values(forms)[0]?.[0] ?? '';
}

describe.each(PHRASES.map((phrase) => [nameOf(phrase), phrase] as const))('%s', (_, phrase) => {
  it('parses in each dialect, and what is written has no part that is not read', () => {
    for (const from of DIALECT_NAMES) {
      for (const read of phrase.forms[from] ?? []) {
        const parts = partsOf(read, from);
        if (read.startsWith('>')) continue;
        for (const to of DIALECT_NAMES) {
          const written = writtenForm(phrase, to);
          for (const part of written === undefined ? [] : partsOf(written, to)) {
            expect(parts, `${from}: ${read} > ${to}: ${written}`).toContain(part);
          }
        }
      }
    }
  });
});
