/** The file beside an export that holds what the format has no place for. */
import { z } from 'zod';
import type { FileModel } from '../../semantic/semantic-file.ts';
import type {
  Exported,
  ExportSource,
  ForeignFile,
  Imported,
  InterchangeFormat,
  Loss,
} from '../foreign/conversion.ts';
import { openForeign } from '../foreign/foreign-document.ts';
import { completeModel, isRecord, type LeanModel, leanModel } from '../foreign/lean-model.ts';
import { applyChanges, type Change, diffTrees } from '../foreign/tree-changes.ts';
import { plainName } from './names.ts';
import { withoutUndefined } from './vendor-block.ts';

const ENDING = '.candor.yml';
const COMPANION = z.strictObject({
  candor_companion: z.literal(1),
  format: z.string(),
  /** Whether models are told apart by their names or, where a format does not know them, by their place. */
  models: z.enum(['by-name', 'by-place']),
  changes: z.array(
    z.strictObject({
      at: z.array(z.string()),
      was: z.unknown().optional(),
      now: z.unknown().optional(),
      order: z.array(z.string()).optional(),
    }),
  ),
});

export function isCompanion(path: string): boolean {
  return path.endsWith(ENDING);
}

/** Compares what was to be written with what is read back; every difference becomes a change and a loss. */
export function makeCompanion(
  format: InterchangeFormat,
  source: ExportSource,
  readBack: Pick<Imported, 'models' | 'examples'>,
): Exported {
  const names = readBack.models.map(({ name }) => name);
  const isNamed =
    source.models.every(({ name }) => names.includes(name)) && new Set(names).size === names.length;
  const models = isNamed ? 'by-name' : 'by-place';
  const changes = diffTrees(treeOf(readBack, models), treeOf(source, models));
  if (changes.length === 0) return { files: [], losses: [] };
  const path = `${plainName(source.models[0]?.name ?? format.name)}${ENDING}`;
  const about = `# What ${format.title} has no place for. Keep this file beside the others: an import puts it back.\n`;
  // One change a line: JSON is YAML too.
  const lines = changes.map((change) => `  - ${JSON.stringify(change)}\n`).join('');
  return {
    files: [
      {
        path,
        text: `${about}candor_companion: 1\nformat: ${format.name}\nmodels: ${models}\nchanges:\n${lines}`,
      },
    ],
    losses: changes.flatMap((change) => lossOf(change, path, source)),
  };
}

/** Puts back what an export kept; what has been changed since in the foreign file stands, and is reported. */
export function applyCompanion(imported: Imported, file: ForeignFile): Imported {
  const document = openForeign(file);
  const { changes, models: told } = document.check(COMPANION, document.value, []);
  const { tree, refused } = applyChanges(treeOf(imported, told), changes);
  if (!isRecord(tree)) throw document.fault(['changes'], 'the changes leave no model');
  const examples = document.check(EXAMPLES, tree.examples ?? [], ['changes']);
  const models = Object.values(isRecord(tree.models) ? tree.models : {});
  return {
    ...imported,
    models: models.map((model) => {
      // Checked by `completeModel`, whatever a companion makes of it.
      return completeModel(model as LeanModel, document.place(['changes']));
    }),
    examples: examples.map(({ question, sql, verified_by, verified_at }) =>
      withoutUndefined({ question, sql, verifiedBy: verified_by, verifiedAt: verified_at }),
    ),
    losses: [
      ...imported.losses,
      ...refused.map((change): Loss => {
        const { element, part } = describe(change);
        return {
          kind: 'dropped',
          place: document.path,
          what: `${element}: ${part} is not put back: it was changed since`,
        };
      }),
    ],
  };
}

const EXAMPLES = z.array(
  z.strictObject({
    question: z.string(),
    sql: z.string(),
    verified_by: z.string().optional(),
    verified_at: z.string().optional(),
  }),
);

interface Tree {
  readonly models: Readonly<Record<string, LeanModel>>;
  readonly examples: z.infer<typeof EXAMPLES>;
}

function treeOf(
  { models, examples }: Pick<Imported, 'models' | 'examples'>,
  told: z.infer<typeof COMPANION>['models'],
): Tree {
  const keyOf = ({ name }: FileModel, index: number) => (told === 'by-name' ? name : String(index));
  return {
    models: Object.fromEntries(models.map((model, index) => [keyOf(model, index), leanModel(model)])),
    examples: examples.map(({ question, sql, verifiedBy, verifiedAt }) =>
      withoutUndefined({ question, sql, verified_by: verifiedBy, verified_at: verifiedAt }),
    ),
  };
}

/** The order of things means nothing to any reader, so it is put back without a word. */
function lossOf(change: Change, path: string, { models }: ExportSource): Loss[] {
  if (change.order !== undefined) return [];
  const { element: at, part } = describe(change);
  const element = at === '' ? modelOf(change, models) : at;
  if (change.was === undefined)
    return [{ kind: 'kept', place: element, what: `${part} has no place there; kept in ${path}` }];
  if (change.now === undefined)
    return [{ kind: 'approximated', place: element, what: `${part} is added; left out again by ${path}` }];
  return [
    { kind: 'approximated', place: element, what: `${part} is written in another way; kept in ${path}` },
  ];
}

function modelOf({ at: [, key = ''] }: Change, models: ExportSource['models']): string {
  return models.some(({ name }) => name === key) ? key : (models[Number(key)]?.name ?? key);
}

/** `models.shop.datasets.orders.fields.status.description` is the part `description` of `orders.status`. */
function describe({ at, was, now }: Change): { element: string; part: string } {
  const [list, place = '', ...steps] = at;
  const names: string[] = [];
  while (steps.length >= 2 && LISTS.has(steps[0] ?? '')) names.push(...steps.splice(0, 2).slice(1));
  const kind = steps.length === 0 ? KINDS.get(at.at(-2) ?? '') : undefined;
  const shown = steps.filter((step) => !NESTING.has(step)).join('.');
  const part = kind ?? (shown === '' ? contentOf(now ?? was) : `\`${shown}\``);
  return { element: list === 'examples' ? place : names.join('.'), part };
}

/** The keys that blocks of extensions, or a context, hold. */
function contentOf(value: unknown): string {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const keys = parts.flatMap((part) => {
    if (!isRecord(part)) return [];
    return Object.keys(isRecord(part.data) ? part.data : part);
  });
  return keys.length === 0 ? 'a part' : keys.map((key) => `\`${key}\``).join(', ');
}

const NESTING = new Set(['custom_extensions', 'data', 'ai_context', 'dialects', 'CANDOR', 'ANSI_SQL']);
const LISTS = new Set(['datasets', 'fields', 'metrics', 'relationships']);
const KINDS = new Map([
  ['datasets', 'the dataset'],
  ['fields', 'the field'],
  ['metrics', 'the metric'],
  ['relationships', 'the relationship'],
  ['models', 'the model'],
  ['examples', 'the verified pair'],
]);
