import { describe, expect, it } from 'vitest';
import { elementFamilyOf, familyOf } from './types.ts';

describe('the family of a declared type', () => {
  it.each([
    ['INTEGER', 'numeric'],
    ['DECIMAL(10,2)', 'numeric'],
    ['double precision', 'numeric'],
    ['UNSIGNED BIG INT', 'numeric'],
    ['NUMBER(38,0)', 'numeric'],
    ['YEAR', 'numeric'],
    ['character varying(20)', 'text'],
    ['VARCHAR(255)', 'text'],
    ["ENUM('a','b')", 'text'],
    ['NATIVE CHARACTER(70)', 'text'],
    ['timestamp without time zone', 'date'],
    ['DATETIME', 'date'],
    ['TIMESTAMP_NTZ(9)', 'date'],
    ['boolean', 'bool'],
    ['BLOB', 'other'],
    ['VARCHAR[]', 'other'],
    ['ARRAY<STRING>', 'other'],
    ['STRUCT(a INTEGER)', 'other'],
    ['VARIANT', 'other'],
    ['POINT', 'other'],
    ['INTERVAL', 'other'],
    ['FLOATING POINT', 'numeric'],
    ['whatever', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('%s is %s', (type, family) => expect(familyOf(type)).toBe(family));

  it.each([
    ['ARRAY<STRING>', 'text'],
    ['array(bigint)', 'numeric'],
    ['date[]', 'date'],
    ['JSON', 'unknown'],
  ])('an element of %s is %s', (type, family) => expect(elementFamilyOf(type)).toBe(family));
});
