/** Every reason that the ledger gives has German words: the page shows none in English where it is read in German. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { germanReason, germanReply } from '../../web/src/i18n/german-reasons.ts';

const LEDGER = new URL('../../src/validation/ledger/', import.meta.url);
/** Texts of the code that are compared and never told. */
const NOT_TOLD = new Set(['english broader', 'english narrower']);

/** Every sentence in the code of what makes claims; what is put into one is X. */
const told = readdirSync(LEDGER)
  .filter((file) => /^claim-.*(?<!test)\.ts$/.test(file))
  .flatMap((file) => sentencesOf(readFileSync(new URL(file, LEDGER), 'utf8')));

function sentencesOf(code: string): readonly string[] {
  const bare = code
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    // Patterns may hold quotes.
    .replace(/\/(?![/*])(?:\\.|[^/\n\\])+\/[a-z]*/g, (pattern) => (/['`"\s]/.test(pattern) ? '' : pattern));
  const texts = bare.matchAll(
    /(words\()?(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"([^"\n]*)")(\s*\.split)?/g,
  );
  return [...texts]
    .filter(([, isList, , , , isSplit]) => isList === undefined && isSplit === undefined)
    .map(([, , single, template, double]) => single ?? template ?? double ?? '')
    .map((text) => text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'X'))
    .filter((text) => /[a-z] [a-z“‘]/.test(text) && !NOT_TOLD.has(text));
}

describe('reasons in German', () => {
  it('are found in the code of the ledger', () => {
    expect(told.length).toBeGreaterThan(60);
    expect(told).toContain('nothing in the query says it');
  });

  it.each([...new Set(told)])('%s', (why) => expect(germanReason(why)).not.toBe(why));

  it('keep what is put into them', () => {
    expect(germanReason('the value ‘São Paulo’')).toBe('der Wert ‚São Paulo‘');
    expect(germanReason('means “singer” (english synonym)')).toBe(
      'bedeutet „singer“ (gleichbedeutend im Englischen)',
    );
    expect(germanReply('Describe table orders')).toBe('Tabelle orders beschreiben');
    expect(germanReply('orders in 2024')).toBe('orders in 2024');
  });
});
