/** Which columns hold what is about persons or secret: their names say so, or their values look like it. */
import { nameWords } from '../../language/index.ts';
import type { Column, Pii, PiiKind } from '../schema/catalog.ts';

/** What is done with the values of such columns. */
export interface PiiSettings {
  /** `withhold` (default): values of sensitive columns are kept nowhere; `keep`: they are only reported. */
  readonly policy: 'withhold' | 'keep';
  /** Canonical ids of columns whose values are kept in any case. */
  readonly allow: ReadonlySet<string>;
}

const DEFAULT_PII: PiiSettings = { policy: 'withhold', allow: new Set() };

interface NameRule {
  readonly kind: PiiKind;
  /** Tried on the words of the name, joined by single spaces. */
  readonly name: RegExp;
  readonly families: readonly Column['family'][];
}

interface ValueRule {
  readonly kind: PiiKind;
  readonly what: string;
  readonly matches: (text: string) => boolean;
}

const TEXT = ['text'] as const;
const TEXT_OR_NUMBER = ['text', 'number'] as const;

/** In order: the first that fits. */
const NAME_RULES: readonly NameRule[] = [
  { kind: 'email', name: /\b(e ?mail|mail address)( address)?( \d+)?$/, families: TEXT },
  {
    kind: 'secret',
    name: /\b(pass ?word|passwd|pwd|pass ?phrase|secret|api ?key|access ?key|private ?key|(auth|access|refresh|session|api) ?token|token|otp|cvv|cvc|pin code)( hash| salt| digest)?$/,
    families: TEXT_OR_NUMBER,
  },
  {
    kind: 'national-id',
    name: /\b(ssn|social security( number| no)?|national id( number)?|passport( number| no)?|tax ?payer id|tax id|personal (id|number|code)|nino|driving licen[cs]e( number)?|driver licen[cs]e( number)?)$/,
    families: TEXT_OR_NUMBER,
  },
  {
    kind: 'payment-card',
    name: /\b((credit|debit|payment) ?card( number| no| num)?|card (number|no|num)|cc (number|num|no))$/,
    families: TEXT_OR_NUMBER,
  },
  { kind: 'bank-account', name: /\b(iban|bank account( number| no)?|bic iban)$/, families: TEXT_OR_NUMBER },
  {
    kind: 'phone',
    name: /\b(phone|telephone|tele?fax|fax|mobile|cell ?phone|whatsapp)( number| no| num)?( \d+)?$/,
    families: TEXT_OR_NUMBER,
  },
  { kind: 'ip-address', name: /\b(ip|ipv4|ipv6|ip ?address|ip ?addr)$/, families: TEXT },
  {
    kind: 'birth-date',
    name: /\b(birth ?date|birth ?day|date of birth|dob|born on)$/,
    families: ['time', 'text'],
  },
  {
    kind: 'postal-address',
    name: /\b((street|home|billing|shipping|postal|mailing|delivery) ?address|address( ?line)?|street( name)?)( ?\d+)?$/,
    families: TEXT,
  },
  {
    kind: 'person-name',
    name: /\b((first|last|middle|full|given|family|maiden|birth) ?name|surname|fore ?name|(customer|contact|patient|employee|person|client|user|owner|driver|rider|author|actor|student|teacher) name)$/,
    families: TEXT,
  },
];

/** In order: an address of a computer reads like a telephone number. */
const VALUE_RULES: readonly ValueRule[] = [
  {
    kind: 'email',
    what: 'an e-mail address',
    matches: (text) => /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(text),
  },
  { kind: 'ip-address', what: 'an IP address', matches: isIpAddress },
  { kind: 'bank-account', what: 'an IBAN', matches: isIban },
  { kind: 'payment-card', what: 'a payment card', matches: isCardNumber },
  {
    kind: 'secret',
    what: 'a password hash or a token',
    matches: (text) =>
      /^(\$2[aby]?\$\d\d\$|\$argon2|\$[156]\$|pbkdf2|scrypt|\{SSHA|sk[-_]live|gh[pous]_|eyJ[\w-]+\.eyJ|AKIA[0-9A-Z]{16}$|-----BEGIN)/.test(
        text,
      ),
  },
  {
    kind: 'national-id',
    what: 'a social security number',
    matches: (text) => /^(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}$/.test(text),
  },
  { kind: 'phone', what: 'a telephone number', matches: isPhoneNumber },
];
/** Below this share, or this many values, looks deceive. */
const ALIKE_SHARE = 0.8;
const FEWEST_VALUES = 3;

/**
 * What a column holds that is about persons, by name first, then by up to 100 of its most frequent values. Names of
 * persons are reported and kept: questions ask for people by name, and a name that is nowhere cannot be found.
 */
export function findPii(
  column: Pick<Column, 'id' | 'name' | 'family'>,
  values: readonly string[],
  settings: PiiSettings = DEFAULT_PII,
): Pii | undefined {
  const found = findByName(column) ?? findByValues(column, values.slice(0, 100));
  if (found === undefined) return undefined;
  const isKept = found.kind === 'person-name' || settings.policy === 'keep' || settings.allow.has(column.id);
  return { ...found, isWithheld: !isKept };
}

function findByName({ name, family }: Pick<Column, 'name' | 'family'>): Omit<Pii, 'isWithheld'> | undefined {
  const words = nameWords(name).join(' ');
  const rule = NAME_RULES.find((rule) => rule.families.includes(family) && rule.name.test(words));
  return rule === undefined ? undefined : { kind: rule.kind, because: `its name says ${words}` };
}

function findByValues(
  { family }: Pick<Column, 'family'>,
  values: readonly string[],
): Omit<Pii, 'isWithheld'> | undefined {
  if ((family !== 'text' && family !== 'number') || values.length < FEWEST_VALUES) return undefined;
  for (const { kind, what, matches } of VALUE_RULES) {
    // Of plain numbers only the check digit of a card says anything.
    if (family === 'number' && kind !== 'payment-card') continue;
    const share = values.filter((value) => matches(value.trim())).length / values.length;
    if (share >= ALIKE_SHARE)
      return { kind, because: `${Math.round(share * 100)} % of its most frequent values look like ${what}` };
  }
  return undefined;
}

function isIpAddress(text: string): boolean {
  const bytes = text.split('.');
  if (bytes.length === 4) return bytes.every((byte) => /^\d{1,3}$/.test(byte) && Number(byte) < 256);
  return /^[0-9a-f]{0,4}(:[0-9a-f]{0,4}){3,7}$/i.test(text) && text.includes(':');
}

/** Country, check digits and a remainder of 1 by 97 (ISO 13616). */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  if (!/^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(compact)) return false;
  const digits = (compact.slice(4) + compact.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder === 1;
}

/** 13 to 19 digits whose check digit is right (Luhn). */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^[2-6]\d{12,18}$/.test(digits)) return false;
  let sum = 0;
  for (const [place, digit] of [...digits].reverse().entries()) {
    const doubled = place % 2 === 1 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isPhoneNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  if (digits < 8 || digits > 15 || /^\d{4}-\d\d-\d\d/.test(text)) return false;
  return (
    /^(\+\d{1,3}[ .-]?)?(\(\d{1,4}\) ?|\d{1,4}[ .-])\d{2,4}([ .-]\d{2,4}){1,4}$/.test(text) ||
    /^\+\d{8,15}$/.test(text)
  );
}
