const NUMBER = /^[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?$/;
const DATE = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00(?::?00)?)?)?$/;

/**
 * What a number or a date is looked up by, however it is written: `literalKey('1,250.0')` → `1250`,
 * `literalKey('2024/3/5')` and `literalKey('2024-03-05 00:00:00')` → `2024-03-05`.
 */
export function literalKey(text: string): string {
  const plain = text.trim();
  if (/\d/.test(plain) && NUMBER.test(plain)) {
    const digits = plain.replaceAll(',', '');
    const number = Number(digits);
    // Beyond 15 digits two different numbers would be one.
    return digits.replace(/\D/g, '').length <= 15 ? String(number) : digits;
  }
  const date = DATE.exec(plain);
  if (date === null) return plain.toLowerCase();
  const [, year = '', month = '', day = ''] = date;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
