/** Names, kinds, units and words of features 55 to 72. */
import type { Feature, FeatureValue } from './feature.ts';

const FAMILIES = 'numeric, text, date, bool, other or unknown; none';

export const CONTEXT_FEATURES = [
  {
    name: 'non_agg_column_without_group_by',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'a column of a select list that has an aggregate beside it, and there is no GROUP BY',
    tell: when(1, 'neither aggregated nor grouped by, though the query aggregates'),
  },
  {
    name: 'select_has_aggregate',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the SELECT it stands in has an aggregate',
  },
  {
    name: 'select_has_group_by',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the SELECT it stands in has a GROUP BY',
  },
  {
    name: 'column_in_group_by',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'its SELECT groups by this column',
  },
  { name: 'inside_aggregate', kind: 'boolean', unit: 'yes or no', about: 'it stands inside an aggregate' },
  {
    name: 'operand_compat',
    kind: 'ratio',
    unit: 'share',
    about:
      'types of the sides of its operator: 1 the same family, 0.5 one can be read as the other, 0 they cannot, -1 unknown or no operator',
    tell: when(0, 'the types on the two sides do not go together'),
  },
  {
    name: 'left_type',
    kind: 'category',
    unit: 'name',
    about: `left side of its operator: ${FAMILIES} without`,
  },
  {
    name: 'right_type',
    kind: 'category',
    unit: 'name',
    about: `right side of its operator: ${FAMILIES} without`,
  },
  {
    name: 'literal_type',
    kind: 'category',
    unit: 'name',
    about: `type of a literal: ${FAMILIES} if not one`,
  },
  {
    name: 'literal_matches_column_type',
    kind: 'ratio',
    unit: 'share',
    about: 'type of a literal beside that of what it is compared with, as operand_compat; -1 if not compared',
    tell: when(0, 'a value of another type than what it is compared with'),
  },
  {
    name: 'literal_in_sampled_values',
    kind: 'ratio',
    unit: 'share',
    about:
      'the column it is compared with has this value: 1 exactly, 0.5 in other case or spaces, 0.25 not among those seen, 0 not at all, -1 no values known',
    tell: tellPresence,
  },
  {
    name: 'literal_length',
    kind: 'number',
    unit: 'characters or log10',
    about: 'characters of a text, log10(1 + |v|) of a number, 0 if no literal',
  },
  {
    name: 'like_has_wildcard',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the pattern of LIKE and its kin has a wildcard',
  },
  {
    name: 'like_pattern_length',
    kind: 'count',
    unit: 'characters',
    about: 'length of the pattern of LIKE and its kin',
  },
  { name: 'in_list_size', kind: 'count', unit: 'values', about: 'values in the list of IN' },
  {
    name: 'n_conjuncts_in_clause',
    kind: 'count',
    unit: 'conditions',
    about: 'conditions joined by AND in the WHERE, HAVING, QUALIFY or ON it stands in',
  },
  {
    name: 'limit_without_order',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'a LIMIT where no order says which rows come first',
    tell: when(1, 'a limit without an order: which rows come first is left open'),
  },
  {
    name: 'function_known',
    kind: 'ratio',
    unit: 'share',
    about:
      '1 the dialect has this function and the number of arguments fits, 0.5 it does not fit, 0 no such function, -1 no call',
    tell: tellFunction,
  },
] as const satisfies readonly Feature[];

function when(said: number, text: string): (value: FeatureValue) => string | undefined {
  return (value) => (value === said ? text : undefined);
}

function tellPresence(value: FeatureValue): string | undefined {
  switch (value) {
    case 1:
      return 'the column has this value';
    case 0.5:
      return 'the column spells this value with other capitals or spaces';
    case 0.25:
      return 'not among the values seen in the column';
    case 0:
      return 'the column does not have this value';
    default:
      return undefined;
  }
}

function tellFunction(value: FeatureValue): string | undefined {
  if (value === 0) return 'no function of this name is known';
  return value === 0.5 ? 'called with an unusual number of arguments' : undefined;
}
