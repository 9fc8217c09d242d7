import { Argument, type Command } from 'commander';
import { CandorError } from '../../../errors.ts';
import { type KnowledgeBase, openKnowledgeBase } from '../../../knowledge/base/index.ts';
import { findValues, type Retrieved, type Truncation } from '../../../knowledge/retrieve/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import type { Session } from '../../../session/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { counted, renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface SearchOptions extends ProjectOptions, OutputOptions {
  readonly limit: number;
  /** Commander's name for `--no-vectors`. */
  readonly vectors: boolean;
}

const KINDS = ['values', 'tables', 'columns', 'notes', 'examples', 'metrics'] as const;
type Kind = (typeof KINDS)[number];

const DEFAULT_SHOWN = 20;

/** `candor search`: what Candor would find for words of a question, each with the reason. */
export function defineSearchCommand(command: Command, context: CommandContext): void {
  command
    .addArgument(new Argument('<what>', 'what to find').choices(KINDS))
    .argument('<words...>', 'words of a question, or a value as people type it')
    .option('--limit <n>', 'lines at most', parseCount, DEFAULT_SHOWN)
    .option('--no-vectors', 'by words and names only; no sentence encoder is started');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor search values "los angles"            stored values that are spelt like it, and their columns
  candor search tables revenue by city         tables a question may need, and why
  candor search notes "how do we count orders"

Values are compared with the values themselves; the rest with names, descriptions, synonyms and notes, by words and,
after \`candor onboard\`, by meaning. What a limit has hidden is said.`,
    )
    .action((what: Kind, words: readonly string[], options: SearchOptions) =>
      runCommand(context, options.output, () => runSearch(what, words.join(' '), options, context.io)),
    );
}

async function runSearch(what: Kind, text: string, options: SearchOptions, io: Io): Promise<number> {
  if (text.trim() === '') throw new CandorError('question.empty', 'There are no words to search for.');
  const config = await readCommandConfig(io, options);
  return withSession(config, io, options.quiet === true, async (session) => {
    const knowledge = await openKnowledgeBase(config, session, {
      now: session.clock(),
      useVectors: options.vectors,
      signal: io.signal,
      onNotice: (message) => {
        if (!options.quiet) io.stderr.write(`${message}\n`);
      },
    });
    try {
      const found = await search(what, text, session, knowledge, io.signal);
      print(found, { what, options, io });
      return 0;
    } finally {
      await knowledge.close();
    }
  });
}

interface SearchFound {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** For `--output json`. */
  readonly items: unknown;
  readonly truncations: readonly Truncation[];
  readonly warnings: readonly string[];
}

async function search(
  what: Kind,
  text: string,
  session: Session,
  knowledge: KnowledgeBase,
  signal: AbortSignal,
): Promise<SearchFound> {
  if (what === 'values') {
    const { scope, model } = knowledge;
    const found = await findValues([text], session.values, { scope: scope.tables, embedding: model, signal });
    return { ...valueLines(found.values), ...found };
  }
  const found = await knowledge.retrieve({ question: text, signal });
  // A small schema is found whole: what nothing speaks for is no hit.
  const tables = found.tables.filter(({ because }) => because.length > 0);
  const warnings = what === 'tables' && tables.length === 0 ? [NO_TABLE, ...found.warnings] : found.warnings;
  return { ...linesOf(what, { ...found, tables }), truncations: found.truncations, warnings };
}

const NO_TABLE = 'no name, description, note or definition of a table has a word of these';

type Lines = Pick<SearchFound, 'heads' | 'rows' | 'items'>;

function valueLines(values: Retrieved['values']): Lines {
  const rows = values.flatMap(({ item }) =>
    item.values.map(({ value, match, ratio }) => [value, item.columnId, match, ratio.toFixed(2)]),
  );
  return { heads: ['value', 'column', 'match', 'likeness'], rows, items: values };
}

function linesOf(what: Exclude<Kind, 'values'>, found: Retrieved): Lines {
  switch (what) {
    case 'tables':
      return listLines('table', found.tables, ({ tableId, family, isCertified, isDeprecated }) => {
        const like = family === undefined ? '' : ` (+ ${family.total - 1} like it)`;
        const standing = isCertified ? ', certified' : isDeprecated ? ', deprecated' : '';
        return `${tableId}${like}${standing}`;
      });
    case 'columns':
      return listLines('column', found.columns, ({ columnId }) => columnId);
    case 'notes':
      return listLines('note', found.notes, ({ text, place }) => `${text} (${place})`);
    case 'examples':
      return listLines('verified pair', found.examples, ({ pair }) => `${pair.question} (${pair.file})`);
    case 'metrics':
      return listLines('metric', found.metrics, ({ name, description }) =>
        description === undefined ? name : `${name}: ${description}`,
      );
  }
}

function listLines<Item>(
  head: string,
  list: readonly { readonly item: Item; readonly score: number; readonly because: readonly string[] }[],
  show: (item: Item) => string,
): Lines {
  const rows = list.map(({ item, score, because }) => [show(item), score.toFixed(2), because.join('; ')]);
  return { heads: [head, 'score', 'because'], rows, items: list };
}

function print(
  { heads, rows, items, truncations, warnings }: SearchFound,
  { what, options, io }: { readonly what: Kind; readonly options: SearchOptions; readonly io: Io },
): void {
  if (options.output === 'json') {
    io.stdout.write(renderJson({ [what]: items, truncations, warnings }));
    return;
  }
  const style = styleFor(io, io.stdout);
  const shown = rows
    .slice(0, options.limit)
    .map((row) => row.map((cell) => (typeof cell === 'string' ? escapeControl(cell) : cell)));
  if (shown.length > 0) io.stdout.write(`${renderTable(heads, shown, { style })}\n`);
  const hidden = rows.length - shown.length;
  const more = hidden > 0 ? `, ${shown.length} shown: raise --limit` : '';
  io.stdout.write(`${style.dim(`${counted(rows.length, heads[0] ?? 'line')}${more}`)}\n`);
  if (options.quiet) return;
  for (const { what: cut, shown: kept, total } of truncations)
    io.stderr.write(`${escapeControl(cut)}: ${kept} of ${total} shown\n`);
  for (const warning of warnings) io.stderr.write(`${escapeControl(warning)}\n`);
}
