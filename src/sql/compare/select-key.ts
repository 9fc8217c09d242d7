/** The key of a SELECT, from its parts. */
import type { NormalSelect, Part, SourcePart } from './normal-form.ts';
import type { NormalOptions } from './normal-options.ts';
import { withKey } from './with-key.ts';

type SelectParts = Omit<NormalSelect, 'kind' | 'key' | 'order' | 'limit' | 'offset'>;

export function selectKey(parts: SelectParts, end: string, options: NormalOptions): string {
  const { distinct, items } = parts;
  return [
    withKey(parts.ctes),
    'select ',
    parts.node.flags.as === undefined ? '' : `as ${parts.node.flags.as.toLowerCase()} `,
    distinct === undefined ? '' : `distinct${distinct.key && ` ${distinct.key}`} `,
    items.map(({ key }) => key).join(', '),
    fromKey(parts, options),
    clause(' where ', sortedKeys(parts.where), ' and '),
    clause(' group by ', sortedKeys(parts.group), ', '),
    clause(' having ', sortedKeys(parts.having), ' and '),
    clause(' qualify ', sortedKeys(parts.qualify), ' and '),
    clause(' ', sortedKeys(parts.others), ' '),
    end,
  ].join('');
}

function sortedKeys(parts: readonly Part[]): readonly string[] {
  return parts.map(({ key }) => key).sort();
}

/** Conditions are bracketed, so that an OR among them keeps its bounds. */
function clause(word: string, keys: readonly string[], separator: string): string {
  if (keys.length === 0) return '';
  return word + (separator === ' and ' ? keys.map((key) => `[${key}]`) : keys).join(separator);
}

/** The relations that only inner joins bring in are a set, as are their conditions; the others keep their order. */
function fromKey({ sources, on }: SelectParts, { keepsJoins }: NormalOptions): string {
  if (sources.length === 0) return '';
  const firstOuter = sources.findIndex(({ join }) => join !== 'inner');
  const end = firstOuter === -1 ? sources.length : firstOuter;
  const inner =
    keepsJoins === true ? sources.slice(0, end).map(({ key }) => key) : sortedKeys(sources.slice(0, end));
  const outer = sources.slice(end).map(joinKey).join('');
  return ` from ${inner.join(', ')}${outer}${clause(' on ', sortedKeys(on), ' and ')}`;
}

function joinKey({ join, key, on }: SourcePart): string {
  return ` ${join} join ${key}${clause(' on ', sortedKeys(on), ' and ')}`;
}
