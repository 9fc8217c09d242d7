import { describe, expect, it } from 'vitest';
import { checkEvilinkSettings, EVILINK_ABLATIONS, EVILINK_DEFAULTS } from './evilink-settings.ts';

describe('settings', () => {
  it('have defaults and ablations that pass', () => {
    for (const change of [{}, ...Object.values(EVILINK_ABLATIONS)])
      expect(() => checkEvilinkSettings({ ...EVILINK_DEFAULTS, ...change })).not.toThrow();
  });

  it.each([
    ['tau', 0],
    ['tau', 100],
    ['tau', 0.7],
    ['kmax', 0],
    ['turns', Number.NaN],
    ['preCut', -1],
    ['chunkCharacters', 10],
  ])('%s = %d is refused by name', (name, value) => {
    const check = () => checkEvilinkSettings({ ...EVILINK_DEFAULTS, [name]: value });
    expect(check).toThrow(expect.objectContaining({ code: 'linking.invalid-settings' }));
    expect(check).toThrow(new RegExp(`the setting ${name} of EviLink must be a whole number from`));
  });
});
