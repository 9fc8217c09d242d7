import { type Command, Option } from 'commander';
import { replacedWords } from '../../../answering/review/index.ts';
import { mergeAnswer } from '../../../boundary/index.ts';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { addNote } from '../../../knowledge/authored/index.ts';
import { learnAnswer } from '../../../knowledge/semantic/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { type QuestionBack, questionBackOf, readRecord } from '../../../session/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { dayOfWriting } from './knowledge-sources.ts';

interface LearnOptions extends ProjectOptions, OutputOptions {
  readonly answer: string;
  readonly as: 'synonym' | 'note' | 'default';
  readonly by?: string;
}

/** `candor knowledge learn`: what a question back was answered with, so that it is not asked again. */
export function addKnowledgeLearnCommand(knowledge: Command, context: CommandContext): void {
  const command = knowledge
    .command('learn')
    .description('Make the answer to a question back a synonym, a default or a note.')
    .argument('<record>', 'id of the record of the question back')
    .requiredOption('--answer <words>', 'the answer: a number or a label of the options, or other words')
    .addOption(
      new Option(
        '--as <kind>',
        'synonym: the words always stand for these; default: the option is taken unasked; note: for people and models',
      )
        .choices(['synonym', 'note', 'default'])
        .makeOptionMandatory(),
    )
    .option('--by <name>', 'who says so, of a note (default: `user` of candor.yml)');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor knowledge learn 20241001-120000000-1a2b3c4d --answer 2 --as default
  candor knowledge learn 1a2b3c4d --answer "order amount" --as synonym
  candor knowledge learn 1a2b3c4d --answer 1 --as note --by ada

A synonym replaces the words in every question; a default only where they would be asked about, and the answer says so. Both are
written to semantics/learned.yml, which stays yours to edit. A note is read by people and models; it settles nothing.`,
    )
    .action((record: string, options: LearnOptions) =>
      runCommand(context, options.output, () => runLearn(record, options, context.io)),
    );
}

async function runLearn(recordId: string, options: LearnOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  const back = questionBackOf(await readRecord(config.derivedDirectory, recordId));
  const file = await write(back, options, config);
  if (options.output === 'json') io.stdout.write(renderJson({ file, phrase: back.phrase, as: options.as }));
  else io.stdout.write(`${escapeControl(`learned as a ${options.as} of “${back.phrase}”: ${file}`)}\n`);
  return 0;
}

async function write(back: QuestionBack, { answer, as, by }: LearnOptions, config: Config): Promise<string> {
  const merged = mergeAnswer(back, answer);
  if (merged.kind === 'unclear') throw new CandorError('question.not-asked', merged.because);
  const { phrase, question } = back;
  const label = merged.option === undefined ? undefined : back.options[merged.option]?.label;
  switch (as) {
    case 'default': {
      if (label === undefined)
        throw new CandorError(
          'knowledge.refused',
          'A default is one of the options; other words can be a synonym.',
        );
      return learnAnswer(config.semanticsDirectory, { as, phrase, take: label });
    }
    case 'synonym': {
      const meaning = replacedWords(question, merged.question, phrase);
      if (back.kind === 'follow_up' || meaning === undefined)
        throw new CandorError(
          'knowledge.refused',
          `“${phrase}” is not replaced by this answer; learn it as a default.`,
        );
      return learnAnswer(config.semanticsDirectory, { as, term: phrase, meaning });
    }
    case 'note': {
      const user = by ?? config.user;
      const text = `“${phrase}” in “${question}” means ${label ?? answer}.`;
      const at = dayOfWriting();
      const note = { text, topic: 'Answers', at, ...(user !== undefined && { by: user }) };
      return `knowledge/${await addNote(config.knowledgeDirectory, note)}`;
    }
  }
}
