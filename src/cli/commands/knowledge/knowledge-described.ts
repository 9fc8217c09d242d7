import type { Command } from 'commander';
import type { Catalog } from '../../../catalog/index.ts';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { type DescribedTable, type Guess, guessName } from '../../../knowledge/authored/index.ts';
import { dropGuesses, readDescribedFile, tableState } from '../../../knowledge/described/index.ts';
import { addDescriptions, readSemanticModel } from '../../../knowledge/semantic/index.ts';
import { nearestNames } from '../../../language/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { readKnown } from '../../../onboarding/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  collectText,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

interface DescribedOptions extends ProjectOptions, OutputOptions {
  readonly table: readonly string[];
  readonly accept: readonly string[];
  readonly reject: readonly string[];
  readonly acceptAllOf: readonly string[];
}

/** `candor knowledge described`: what a model proposed, reviewed. */
export function addKnowledgeDescribedCommand(knowledge: Command, context: CommandContext): void {
  const command = knowledge
    .command('described')
    .description('List descriptions that a model proposed; accept or reject them.')
    .option('--table <name>', 'of this table alone; may be given again', collectText, [])
    .option('--accept <name>', 'a table, a column or a code of the list; may be given again', collectText, [])
    .option('--reject <name>', 'it is not proposed again; may be given again', collectText, [])
    .option('--accept-all-of <table>', 'all that waits of a table; may be given again', collectText, []);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor knowledge described
  candor knowledge described --accept orders --accept orders.status --accept orders.status=O
  candor knowledge described --accept-all-of customers --reject customers.vat

What is accepted becomes people's: a description in the semantic model, a code one of its value mappings. What waits lies in
knowledge/described.yml, which stays yours to edit: mend a text there and accept it.`,
    )
    .action((options: DescribedOptions) =>
      runCommand(context, options.output, () => runDescribed(options, context.io)),
    );
}

async function runDescribed(options: DescribedOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const described = await readDescribedFile(config.knowledgeDirectory);
  const { accept, reject, acceptAllOf } = options;
  const rejected = chosen(described, reject);
  const isRejected = new Set(rejected.map(({ guess }) => guessName(guess)));
  const accepted = [
    ...chosen(described, accept),
    // What is rejected by name is no part of all.
    ...acceptAllOf
      .flatMap((table) => waitingOf(described, table))
      .filter(({ guess }) => !isRejected.has(guessName(guess))),
  ];
  if (accepted.length + rejected.length > 0) {
    const files = accepted.length === 0 ? [] : await acceptAll(accepted, config);
    for (const [table, names] of byTable(rejected))
      await dropGuesses(config.knowledgeDirectory, table, names, { isRejected: true });
    print({ accepted, rejected, files }, options, io);
    return 0;
  }
  const { catalog } = await readKnown(config);
  list(described, catalog, options, io);
  return 0;
}

interface Waiting {
  readonly entry: DescribedTable;
  readonly guess: Guess;
}

function waiting(described: readonly DescribedTable[]): readonly Waiting[] {
  return described.flatMap((entry) => entry.guesses.map((guess) => ({ entry, guess })));
}

/** Throws `knowledge.refused` for a name that waits for nothing, with the nearest that do. */
function chosen(described: readonly DescribedTable[], names: readonly string[]): readonly Waiting[] {
  const all = waiting(described);
  return [...new Set(names)].map((name) => {
    const found = all.find(({ guess }) => guessName(guess) === name) ?? all.find(isNamed(name));
    if (found !== undefined) return found;
    const near = nearestNames(
      name,
      all.map(({ guess }) => guessName(guess)),
      3,
    );
    const hint = near.length === 0 ? '' : `; near it: ${near.join(', ')}`;
    throw new CandorError('knowledge.refused', `No description of ${name} waits${hint}.`);
  });
}

/** Letter case of names does not matter, that of stored values does. */
function isNamed(name: string): (one: Waiting) => boolean {
  return ({ guess: { of, value } }) => value === undefined && of === name.toLowerCase();
}

function waitingOf(described: readonly DescribedTable[], table: string): readonly Waiting[] {
  const entry = described.find((one) => one.table === table.toLowerCase());
  if (entry === undefined || entry.guesses.length === 0)
    throw new CandorError('knowledge.refused', `No description of ${table} waits.`);
  return entry.guesses.map((guess) => ({ entry, guess }));
}

function byTable(chosen: readonly Waiting[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { entry, guess } of chosen) {
    const known = names.get(entry.table) ?? new Set();
    names.set(entry.table, known.add(guessName(guess)));
  }
  return names;
}

/** Written first and taken out last: where writing fails it goes on waiting. */
async function acceptAll(accepted: readonly Waiting[], config: Config): Promise<readonly string[]> {
  const { catalog } = await readKnown(config);
  // A model that is faulty already is not written into.
  await readSemanticModel(config.semanticsDirectory);
  const files = new Set<string>();
  for (const [id, names] of byTable(accepted)) {
    const table = catalog.tables.find((one) => one.id === id);
    if (table === undefined)
      throw new CandorError(
        'knowledge.refused',
        `${id} is not in the database any more; reject its descriptions.`,
      );
    const guesses = accepted.flatMap(({ entry, guess }) =>
      entry.table === id && names.has(guessName(guess)) ? [guess] : [],
    );
    const added = [...new Set(guesses)].map(({ of, value, text }) => {
      const column = table.columns.find((one) => one.id === of);
      if (column === undefined && of !== id)
        throw new CandorError('knowledge.refused', `${of} is not in the database any more; reject it.`);
      return { column, value, text };
    });
    files.add(await addDescriptions(config.semanticsDirectory, table, added, catalog));
    await dropGuesses(config.knowledgeDirectory, id, names, { isRejected: false });
  }
  return [...files];
}

function print(
  {
    accepted,
    rejected,
    files,
  }: {
    readonly accepted: readonly Waiting[];
    readonly rejected: readonly Waiting[];
    readonly files: readonly string[];
  },
  { output }: DescribedOptions,
  io: Io,
): void {
  const names = (all: readonly Waiting[]): readonly string[] => all.map(({ guess }) => guessName(guess));
  if (output === 'json') {
    io.stdout.write(renderJson({ accepted: names(accepted), rejected: names(rejected), files }));
    return;
  }
  for (const { guess } of accepted)
    io.stdout.write(`${escapeControl(`people’s now: ${guessName(guess)}: ${guess.text}`)}\n`);
  if (files.length > 0) io.stdout.write(`in ${files.join(', ')}\n`);
  for (const { guess } of rejected)
    io.stdout.write(`${escapeControl(`rejected: ${guessName(guess)}: ${guess.text}`)}\n`);
}

function list(
  described: readonly DescribedTable[],
  catalog: Catalog,
  options: DescribedOptions,
  io: Io,
): void {
  const wanted = new Set(options.table.map((name) => name.toLowerCase()));
  const shown = waiting(described).filter(({ entry }) => wanted.size === 0 || wanted.has(entry.table));
  const tables = new Map(catalog.tables.map((table) => [table.id, table]));
  const changeOf = (entry: DescribedTable): keyof typeof CHANGES | undefined => {
    const table = tables.get(entry.table);
    if (table === undefined) return 'gone';
    return tableState(table) === entry.catalog ? undefined : 'changed';
  };
  if (options.output === 'json') {
    const waits = shown.map(({ entry, guess }) => ({
      name: guessName(guess),
      table: entry.table,
      ...guess,
      ...{ by: entry.by, at: entry.at, change: changeOf(entry) },
    }));
    io.stdout.write(renderJson({ described: waits }));
    return;
  }
  if (shown.length === 0) {
    io.stdout.write('Nothing waits for a review.\n');
    return;
  }
  let head = '';
  for (const { entry, guess } of shown) {
    const change = changeOf(entry);
    const since = change === undefined ? '' : `; ${CHANGES[change]}`;
    const next = `${entry.table}, guessed by ${entry.by} on ${entry.at}${since}`;
    if (next !== head) io.stdout.write(`${escapeControl(next)}\n`);
    head = next;
    io.stdout.write(`  ${escapeControl(lineOf(guess))}\n`);
  }
}

const CHANGES = { gone: 'the table is gone', changed: 'the table has changed since' } as const;

function lineOf(guess: Guess): string {
  const { text, sure, because } = guess;
  return `${guessName(guess)}: ${text}  (${sure}${because === undefined ? '' : `: ${because}`})`;
}
