import type { Split } from './bench-item.ts';
import { hashText } from './dice.ts';
import type { Structure } from './structure.ts';

const TEST = 0;
const VALID = 1;
const BUCKETS = 10;

/** Where a template belongs: a tenth each to test and validation. */
export function splitOfTemplate(templateId: string): Split {
  return bucketOf(`template ${templateId}`);
}

/** Where a filled template belongs; undefined where template and combination of values are of different splits. */
export function splitOf(structure: Structure): Split | undefined {
  const split = splitOfTemplate(structure.templateId);
  const entities = entityIds(structure);
  if (entities.length === 0) return split;
  return bucketOf(`values ${entities.join('|')}`) === split ? split : undefined;
}

/** `dimension=value`, in order. */
export function entityIds({ filters, step }: Structure): string[] {
  const all = step !== undefined && 'of' in step ? [...filters, step.of] : filters;
  return all.map(({ dimension, value }) => `${dimension}=${value}`).sort();
}

function bucketOf(text: string): Split {
  const bucket = hashText(text) % BUCKETS;
  if (bucket === TEST) return 'test';
  return bucket === VALID ? 'valid' : 'train';
}
