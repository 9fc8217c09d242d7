import { type Command, Option } from 'commander';
import { resolveTableScope } from '../../../answering/index.ts';
import { type LinkedQuestion, linkQuestion, openLinking } from '../../../answering/prompt/index.ts';
import { renderSchema, type SchemaStyle } from '../../../catalog/prompt-schema/index.ts';
import { CandorError } from '../../../errors.ts';
import { type KnowledgeBase, openKnowledgeBase } from '../../../knowledge/base/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import {
  LINK_DEFAULTS,
  type LinkedSchema,
  type LinkMode,
  type LinkSettings,
} from '../../../linking/index.ts';
import type { Session } from '../../../session/index.ts';
import type { SessionProperties } from '../../../sql/rewrite/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  addPropertyOption,
  collectText,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { renderJson, renderLinked } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { OUTCOME_EXIT } from '../../terminal/io.ts';

interface LinkOptions extends ProjectOptions, OutputOptions {
  readonly mode: LinkSettings['mode'];
  readonly hint?: string;
  readonly after: readonly string[];
  readonly schema?: SchemaStyle;
  readonly seed?: number;
  readonly explain?: boolean;
  readonly property: SessionProperties;
  /** Commander's name for `--no-vectors`. */
  readonly vectors: boolean;
}

const MODES: readonly LinkMode[] = ['full', 'filter', 'evilink', 'rankers'];
const STYLES: readonly SchemaStyle[] = ['thoth', 'xiyan', 'ddl'];

/** `candor link`: the part of the schema that a question needs, with the reasons. */
export function defineLinkCommand(command: Command, context: CommandContext): void {
  command
    .argument('<question...>', 'the question; quote it where your shell gives a sign a meaning of its own')
    .addOption(
      new Option('--mode <mode>', 'how to link; auto: as the size of the schema and the question ask for')
        .choices(['auto', ...MODES])
        .default('auto'),
    )
    .option(
      '--hint <text>',
      'what the question does not say itself: definitions, formulas, meanings of codes',
    )
    .option(
      '--after <question>',
      'an earlier question that this one goes on from; may be given again',
      collectText,
      [],
    )
    .addOption(
      new Option('--schema <style>', 'print the schema as a writer of SQL would see it').choices([...STYLES]),
    )
    .option('--seed <n>', 'with --schema: shuffle tables and columns by this number', parseCount)
    .option('--explain', 'hypotheses, votes, refinement and what was put aside')
    .option('--no-vectors', 'by words and names only; no sentence encoder is started');
  addPropertyOption(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor link "revenue per product line in 2024"
  candor link --mode evilink --explain "orders that were shipped late"     votes of the engine's readings
  candor link --schema thoth "cars made in Berlin"                         schema text for a prompt
  candor link "only 2024" --after "how many orders per month"

A column with a question mark is kept for safety only. Nothing is asked of a language model, and no SQL is written.`,
    )
    .action((words: string[], options: LinkOptions) =>
      runCommand(context, options.output, () => runLink(words.join(' '), options, context.io)),
    );
}

async function runLink(text: string, options: LinkOptions, io: Io): Promise<number> {
  if (text.trim() === '') throw new CandorError('question.empty', 'There is no question to link.');
  const config = await readCommandConfig(io, options, options.property);
  return withSession(config, io, options.quiet === true, async (whole) => {
    const { session } = await resolveTableScope(text, whole, { after: options.after, ...hintOf(options) });
    // Tables of a lake have no vectors, and a knowledge base that is kept with them.
    const own = whole.lake === undefined ? await openOwnBase(session, options, io) : undefined;
    const base = own ?? (await session.base.open());
    try {
      const linking = await openLinking(session, base);
      const found = await linkQuestion(text, linking, {
        ...hintOf(options),
        history: options.after,
        settings: { ...LINK_DEFAULTS, mode: options.mode },
        signal: io.signal,
      });
      return print(found, options, io);
    } finally {
      await own?.close();
    }
  });
}

function hintOf({ hint }: LinkOptions): { readonly hint?: string } {
  return hint === undefined ? {} : { hint };
}

function openOwnBase(session: Session, { vectors, quiet }: LinkOptions, io: Io): Promise<KnowledgeBase> {
  return openKnowledgeBase(session.config, session, {
    ...{ now: session.clock(), useVectors: vectors, signal: io.signal },
    onNotice: (message) => {
      if (!quiet) io.stderr.write(`${message}\n`);
    },
  });
}

/** A text that is no question ends as one that cannot be answered does. */
function print({ question, linked, ms }: LinkedQuestion, options: LinkOptions, io: Io): number {
  if (options.output === 'json') {
    const schema = linked === null ? undefined : schemaText(linked, options);
    io.stdout.write(
      renderJson({
        ...{ question, linked: linked && withoutProfiles(linked), ms: Math.round(ms) },
        ...(schema !== undefined && { schema }),
      }),
    );
    return linked === null ? OUTCOME_EXIT.reject : 0;
  }
  if (linked === null) {
    io.stdout.write(`Not linked: ${escapeControl(question.because)}\n`);
    return OUTCOME_EXIT.reject;
  }
  const notices = [...question.warnings, ...(question.isRewritten ? [`read as: ${question.question}`] : [])];
  for (const notice of options.quiet ? [] : notices) io.stderr.write(`${escapeControl(notice)}\n`);
  const schema = schemaText(linked, options);
  if (schema !== undefined) {
    io.stdout.write(schema);
    return 0;
  }
  const layout = {
    style: styleFor(io, io.stdout),
    isExplained: options.explain === true,
    ...(io.stdout.columns === undefined ? {} : { width: io.stdout.columns }),
  };
  io.stdout.write(renderLinked(linked, layout));
  return 0;
}

/** Undefined where no style is asked for. */
function schemaText({ catalog }: LinkedSchema, { schema: style, seed }: LinkOptions): string | undefined {
  if (style === undefined) return undefined;
  return renderSchema(catalog, { style, ...(seed === undefined ? {} : { seed }) });
}

/** The schema by names: values of the database are what `candor profile` shows. */
function withoutProfiles({ catalog, ...linked }: LinkedSchema) {
  const tables = catalog.tables.map(({ id, columns }) => ({
    id,
    columns: columns.map((column) => column.id),
  }));
  return { ...linked, tables };
}
