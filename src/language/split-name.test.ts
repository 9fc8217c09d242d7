import { describe, expect, it } from 'vitest';
import { splitName } from './split-words.ts';

describe('splitName', () => {
  const cases: readonly (readonly [name: string, words: readonly string[]])[] = [
    ['name', ['name']],
    ['template_type_code', ['template', 'type', 'code']],
    ['FlightNo', ['flight', 'number']],
    ['Mean_Temp', ['mean', 'temperature']],
    ['unitPrice', ['unit', 'price']],
    ['CustomerID', ['customer', 'id']],
    ['HTTPStatusCode', ['http', 'status', 'code']],
    ['XMLHTTPRequest', ['xmlhttp', 'request']],
    ['ABc', ['a', 'bc']],
    ['ABcDEf', ['a', 'bc', 'd', 'ef']],
    ['USA', ['usa']],
    ['NATOÉtat', ['nato', 'état']],
    ['ID_ABCx', ['id', 'ab', 'cx']],
    ['order details', ['order', 'detail']],
    ['Singer-in-Concert', ['singer', 'in', 'concert']],
    ['fname', ['first', 'name']],
    ['LastName', ['last', 'name']],
    ['zipcode', ['zip', 'code']],
    ['paperid', ['paper', 'id']],
    ['JournalName', ['journal', 'name']],
    ['venuename', ['venue', 'name']],
    ['hybrid', ['hybrid']],
    ['surname', ['surname']],
    ['dob', ['birth', 'date']],
    ['birthdates', ['birth', 'date']],
    // words that every JavaScript object answers to
    ['constructorId', ['constructor', 'id']],
    ['toString', ['to', 'string']],
    ['__proto__', ['proto']],
    ['dept_no', ['department', 'number']],
    ['cities', ['city']],
    ['address2', ['address2']],
    ['__x__', ['x']],
    ['Größe_in_cm', ['größe', 'in', 'cm']],
    ['价格', ['价格']],
    ['ÉtatCivil', ['état', 'civil']],
    ['', []],
    ['___', []],
    ['"', []],
  ];
  it.each(cases)('%j', (name, words) => {
    expect(splitName(name)).toEqual(words);
  });

  it.each(['A', 'É', 'a', '1', '价'])('takes a name of a hundred thousand %s for one word', (character) => {
    expect(splitName(character.repeat(100_000))).toEqual([character.toLowerCase().repeat(100_000)]);
  });
});
