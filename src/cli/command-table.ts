import type { Command } from 'commander';
import type { CommandContext } from './context/command-context.ts';

/** Gives a command its arguments, options, examples and what it does. */
type Define = (command: Command, context: CommandContext) => void;

/** A command as `candor --help` lists it. What it is made of is imported when it is called: most of it is large. */
export interface CommandEntry {
  readonly name: string;
  /** What follows its name in the list; a test holds it against the arguments and options that the command takes. */
  readonly usage: string;
  readonly description: string;
  /** It runs for long, or reads many records: what is made ready once pays. */
  readonly isLong?: true;
  readonly load: () => Promise<Define>;
}

/** Every command, in the order of `candor --help`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'demo',
    usage: '[options]',
    description:
      'Make a demo project (a made-up car maker), ask it three questions, and say what to try next.',
    load: async () => (await import('./commands/project/demo.ts')).defineDemoCommand,
  },
  {
    name: 'init',
    usage: '[options] [url]',
    description:
      'Write a project folder: candor.yml, and commented starts of a semantic model, notes and examples.',
    load: async () => (await import('./commands/project/init.ts')).defineInitCommand,
  },
  {
    name: 'onboard',
    isLong: true,
    usage: '[options] [url...]',
    description:
      'Read schema, profiles and values of a database into .candor/. Nothing in the database is changed.',
    load: async () => (await import('./commands/project/onboard.ts')).defineOnboardCommand,
  },
  {
    name: 'ask',
    usage: '[options] [question...]',
    description:
      'Ask a question in plain words and get rows with their SQL, a question back, or a reasoned refusal.',
    load: async () => (await import('./commands/question/ask.ts')).defineAskCommand,
  },
  {
    name: 'chat',
    usage: '[options] [turns...]',
    description: 'Talk about a database: ask, follow up, find tables, have queries explained and mended.',
    load: async () => (await import('./commands/question/chat.ts')).defineChatCommand,
  },
  {
    name: 'explain',
    usage: '[options] <question...>',
    description: 'Show how a question is read: what its words name, the readings, what was not understood.',
    load: async () => (await import('./commands/question/explain.ts')).defineExplainCommand,
  },
  {
    name: 'sql',
    usage: '[options] [sql]',
    description:
      'Run one reading SQL statement through the guard: parsed, checked, limited, with the row filters and masks of the semantic model.',
    load: async () => (await import('./commands/question/sql.ts')).defineSqlCommand,
  },
  {
    name: 'serve',
    isLong: true,
    usage: '[options]',
    description: 'Serve the web chat, questions and conversations over HTTP.',
    load: async () => (await import('./commands/server/serve.ts')).defineServeCommand,
  },
  {
    name: 'work',
    isLong: true,
    usage: '[options]',
    description: 'Do background jobs: a worker that takes them one after the other until it is ended.',
    load: async () => (await import('./commands/server/work.ts')).defineWorkCommand,
  },
  {
    name: 'jobs',
    usage: '',
    description: 'Background jobs: see, start, cancel and retry what `candor work` does.',
    load: async () => (await import('./commands/server/jobs.ts')).defineJobsCommand,
  },
  {
    name: 'mcp',
    isLong: true,
    usage: '[options]',
    description: 'Serve questions, search and SQL as tools to agents, over the Model Context Protocol (MCP).',
    load: async () => (await import('./commands/server/mcp.ts')).defineMcpCommand,
  },
  {
    name: 'users',
    usage: '',
    description: 'Who may use candor serve: people, their keys and what they did.',
    load: async () => (await import('./commands/server/users.ts')).defineUsersCommand,
  },
  {
    name: 'review',
    usage: '[options] [sql]',
    description:
      'Say which parts of a query are likely wrong, why, and how sure the whole is. Nothing is run.',
    load: async () => (await import('./commands/question/review.ts')).defineReviewCommand,
  },
  {
    name: 'fix',
    usage: '[options] [sql]',
    description:
      'Say everything that is wrong with a query, repair what is sure with a reason for each change, and offer what may be meant.',
    load: async () => (await import('./commands/question/fix.ts')).defineFixCommand,
  },
  {
    name: 'catalog',
    usage: '[options] [pattern]',
    description: 'Show the tables, columns and keys that were read at the last onboarding.',
    load: async () => (await import('./commands/project/catalog.ts')).defineCatalogCommand,
  },
  {
    name: 'profile',
    usage: '[options] [name]',
    description: 'Show what is known of the values of a table or column: evidence levels L0 to L3.',
    load: async () => (await import('./commands/project/profile.ts')).defineProfileCommand,
  },
  {
    name: 'project',
    usage: '',
    description: 'Move semantics/, knowledge/, examples/ and tests/ between here and a shared installation.',
    load: async () => (await import('./commands/server/project.ts')).defineProjectCommand,
  },
  {
    name: 'search',
    usage: '[options] <what> <words...>',
    description: 'Find stored values, tables, columns, notes, verified pairs or metrics by words.',
    load: async () => (await import('./commands/project/search.ts')).defineSearchCommand,
  },
  {
    name: 'link',
    usage: '[options] <question...>',
    description: 'Print the tables and columns that a question needs, and why each of them.',
    load: async () => (await import('./commands/project/link.ts')).defineLinkCommand,
  },
  {
    name: 'knowledge',
    usage: '',
    description: 'Notes, certified tables, imports and exports; what is known, and what no longer holds.',
    load: async () => (await import('./commands/knowledge/knowledge.ts')).defineKnowledgeCommand,
  },
  {
    name: 'usage',
    usage: '',
    description: 'Read query logs, and show who uses which tables.',
    load: async () => (await import('./commands/project/usage.ts')).defineUsageCommand,
  },
  {
    name: 'train',
    isLong: true,
    usage: '',
    description: 'Train a model on the verified pairs and corrections of a project, or on benchmark data.',
    load: async () => (await import('./commands/lab/train.ts')).defineTrainCommand,
  },
  {
    name: 'replay',
    usage: '[options] [id]',
    description:
      'Ask a recorded question again, with the day it was asked on, and say what came out differently.',
    load: async () => (await import('./commands/question/replay.ts')).defineReplayCommand,
  },
  {
    name: 'doctor',
    usage: '[options]',
    description:
      'Check Node, the SQL parser, candor.yml, the language model, the database, the rights of its account and the names that it redefines, the catalog, the semantic model and the verified pairs.',
    load: async () => (await import('./commands/project/doctor.ts')).defineDoctorCommand,
  },
  {
    name: 'test',
    usage: '[options] [files...]',
    description:
      'Ask the questions of tests/*.yml and compare each outcome with the one it should have; for CI.',
    load: async () => (await import('./commands/lab/test.ts')).defineTestCommand,
  },
  {
    name: 'eval',
    isLong: true,
    usage: '[options] <suite>',
    description:
      'Ask a suite of questions, compare with what is right, and print figures with 95 % intervals.',
    load: async () => (await import('./commands/eval/eval.ts')).defineEvalCommand,
  },
  {
    name: 'bench',
    isLong: true,
    usage: '',
    description: 'Make a benchmark, or training data, of a database and its semantic model.',
    load: async () => (await import('./commands/lab/bench.ts')).defineBenchCommand,
  },
  {
    name: 'reward',
    isLong: true,
    usage: '',
    description: 'Score what a model writes that is trained to answer or to decline (the reward of BAR-SQL).',
    load: async () => (await import('./commands/lab/reward.ts')).defineRewardCommand,
  },
];
