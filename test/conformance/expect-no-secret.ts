import { inspect } from 'node:util';
import { expect } from 'vitest';

/** Neither as it is nor encoded, in nothing that a log or a record could hold. */
export function expectNoSecret(thing: unknown, secret: string): void {
  const texts = [inspect(thing, { depth: 20, showHidden: true }), JSON.stringify(thing), String(thing)];
  if (thing instanceof Error) texts.push(thing.message, thing.stack ?? '');
  for (const text of texts) {
    expect(text ?? '').not.toContain(secret);
    expect(text ?? '').not.toContain(encodeURIComponent(secret));
  }
}
