import { describe, expect, it } from 'vitest';
import type { Column, PiiKind } from '../schema/catalog.ts';
import { findPii } from './find-pii.ts';

const column = (name: string, family: Column['family'] = 'text') => ({
  id: `t.${name.toLowerCase()}`,
  name,
  family,
});

describe('by name', () => {
  const cases: readonly [name: string, family: Column['family'], kind: PiiKind | undefined][] = [
    ['email', 'text', 'email'],
    ['ContactEmail', 'text', 'email'],
    ['e_mail_address', 'text', 'email'],
    ['email_count', 'number', undefined],
    ['emailed', 'boolean', undefined],
    ['password_hash', 'text', 'secret'],
    ['apiKey', 'text', 'secret'],
    ['refresh_token', 'text', 'secret'],
    ['token_count', 'number', undefined],
    ['ssn', 'number', 'national-id'],
    ['passport_no', 'text', 'national-id'],
    ['credit_card_number', 'text', 'payment-card'],
    ['card_type', 'text', undefined],
    ['IBAN', 'text', 'bank-account'],
    ['Phone', 'text', 'phone'],
    ['mobile_number', 'number', 'phone'],
    ['phone_model', 'text', undefined],
    ['ip_address', 'text', 'ip-address'],
    ['zip', 'text', undefined],
    ['BirthDate', 'time', 'birth-date'],
    ['dob', 'text', 'birth-date'],
    ['BillingAddress', 'text', 'postal-address'],
    ['address2', 'text', 'postal-address'],
    ['address_id', 'number', undefined],
    ['street', 'text', 'postal-address'],
    ['city', 'text', undefined],
    ['FirstName', 'text', 'person-name'],
    ['customer_name', 'text', 'person-name'],
    ['product_name', 'text', undefined],
  ];
  it.each(cases)('%s, a %s: %s', (name, family, kind) =>
    expect(findPii(column(name, family), [])?.kind).toBe(kind),
  );
});

describe('by values', () => {
  const cases: readonly [what: string, kind: PiiKind | undefined, values: readonly string[]][] = [
    ['addresses', 'email', ['a@x.org', 'b.c@y.co.uk', 'd+e@z.de']],
    ['three of five addresses', undefined, ['a@x.org', 'b.c@y.co.uk', 'd+e@z.de', 'none', 'unknown']],
    ['two values', undefined, ['a@x.org', 'b@x.org']],
    ['computers', 'ip-address', ['10.0.0.1', '192.168.17.203', '172.16.254.12']],
    ['computers of today', 'ip-address', ['2001:db8::1', 'fe80::1ff:fe23:4567:890a', '::1:2:3']],
    ['versions', undefined, ['10.0.1', '10.2.0', '9.4.12']],
    ['times', undefined, ['10:20', '11:30', '12:40']],
    // The examples of ISO 13616.
    [
      'accounts',
      'bank-account',
      ['DE89370400440532013000', 'GB29 NWBK 6016 1331 9268 19', 'FR1420041010050500013M02606'],
    ],
    [
      'accounts with a wrong digit',
      undefined,
      ['DE89370400440532013001', 'GB29NWBK60161331926818', 'FR1420041010050500013M02607'],
    ],
    // Numbers that payment providers give for tests.
    ['cards', 'payment-card', ['4242424242424242', '5555 5555 5555 4444', '378282246310005']],
    ['cards with a wrong digit', undefined, ['4242424242424243', '5555555555554445', '378282246310006']],
    ['hashes', 'secret', ['$2b$10$abcdefghijk', '$2b$12$lmnopqrst', '$argon2id$v=19$m=1']],
    ['American numbers', 'phone', ['(555) 123-4567', '555-123-4567', '+1 555-123-4567']],
    ['international numbers', 'phone', ['+4930123456', '+33 1 23 45 67 89', '+44 20 7946 0958']],
    ['days', undefined, ['2024-01-31', '2024-02-01', '2024-02-02']],
    ['article codes', undefined, ['978-3-16-148410-0', '978-0-306-40615-7', '979-8-88-645174-0']],
    ['insurance numbers', 'national-id', ['078-05-1120', '219-09-9999', '457-55-5462']],
    ['words', undefined, ['red', 'green', 'blue']],
  ];
  it.each(cases)('%s: %s', (_, kind, values) => expect(findPii(column('x'), values)?.kind).toBe(kind));

  it('looks at plain numbers for the check digit of a card only', () => {
    expect(
      findPii(column('n', 'number'), ['4242424242424242', '5555555555554444', '378282246310005'])?.kind,
    ).toBe('payment-card');
    expect(findPii(column('n', 'number'), ['5551234567', '5551234568', '5551234569'])).toBeUndefined();
  });
});

describe('what follows', () => {
  const withhold = { policy: 'withhold', allow: new Set<string>() } as const;
  it('is to withhold, and says why', () =>
    expect(findPii(column('Email'), [], withhold)).toEqual({
      kind: 'email',
      because: 'its name says email',
      isWithheld: true,
    }));
  it('says the share of values that gave it away', () =>
    expect(findPii(column('x'), ['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org', 'none'], withhold)).toEqual({
      kind: 'email',
      because: '80 % of its most frequent values look like an e-mail address',
      isWithheld: true,
    }));
  it('is to keep the names of persons', () =>
    expect(findPii(column('last_name'), [], withhold)?.isWithheld).toBe(false));
  it('is to keep what is allowed, and everything under `keep`', () => {
    expect(findPii(column('Email'), [], { ...withhold, allow: new Set(['t.email']) })?.isWithheld).toBe(
      false,
    );
    expect(findPii(column('Email'), [], { ...withhold, policy: 'keep' })?.isWithheld).toBe(false);
  });
});
