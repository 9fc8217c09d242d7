import type { Context } from 'hono';
import { CandorError } from '../../errors.ts';
import { isNoteFor } from '../../knowledge/authored/index.ts';
import type { Session } from '../../session/index.ts';
import { hasPolicy } from '../files/check-semantics.ts';
import { type FilePlace, shownPlace } from '../files/file-folders.ts';
import type { ServerEnv } from '../parts/server-parts.ts';

const WORDS = {
  showSql: 'see SQL',
  runSql: 'run SQL of their own',
  editKnowledge: 'certify answers and change knowledge',
} as const;

/** Throws `server.no-right` where the person may not, and leaves a line in the audit log. */
export async function authorize(context: Context<ServerEnv>, right: keyof typeof WORDS): Promise<void> {
  const { name, rights } = context.get('person');
  if (rights[right]) return;
  await context.get('parts').people?.audit(name, 'right denied', { right, path: context.req.path });
  throw new CandorError('server.no-right', `${name} may not ${WORDS[right]} here.`);
}

/** The session that runs what the person has approved or wrote themselves. Throws `server.no-right` where nothing runs for them. */
export async function mayRun(context: Context<ServerEnv>): Promise<Session> {
  const { name, rights } = context.get('person');
  if (rights.approval !== 'deny') return context.get('approved');
  await context.get('parts').people?.audit(name, 'right denied', { right: 'run', path: context.req.path });
  throw new CandorError('server.no-right', `Queries are written for ${name} here, and never run.`);
}

/** Tests run their own queries beside those of answers. Throws `server.no-right` where queries wait for an approval, or never run. */
export async function needTests(context: Context<ServerEnv>): Promise<void> {
  await needFiles(context);
  const { name, rights } = context.get('person');
  if (rights.approval === 'allow') return;
  await context.get('parts').people?.audit(name, 'right denied', { right: 'tests', path: context.req.path });
  throw new CandorError('server.no-right', `Tests run queries, and those of ${name} do not run unasked.`);
}

/** Files tell of every table and hold SQL. Throws `server.no-right` for whoever may not see or change all of it. */
export async function needFiles(context: Context<ServerEnv>): Promise<void> {
  await authorize(context, 'editKnowledge');
  await authorize(context, 'showSql');
  const { name, rights } = context.get('person');
  if (rights.tables === undefined) return;
  await context.get('parts').people?.audit(name, 'right denied', { right: 'files', path: context.req.path });
  throw new CandorError('server.no-right', `${name} sees some tables alone, and files tell of all.`);
}

/**
 * Who may not change files reads those in which nothing is kept from anybody. Throws `server.no-right` for other files, and for
 * all where the semantic model restricts reading.
 */
export async function needFilesToRead(context: Context<ServerEnv>, place?: FilePlace): Promise<void> {
  const { name, rights } = context.get('person');
  const { semantics, hiddenTables, authored, config } = context.get('session');
  const isOpen = hiddenTables.size === 0 && !hasPolicy(semantics);
  if (rights.editKnowledge || rights.tables !== undefined || !isOpen) return needFiles(context);
  await authorize(context, 'showSql');
  if (place === undefined) return;
  const start = `${shownPlace(place)}:`;
  const isOfOthers = authored.notes.some(
    (note) => !isNoteFor(note, config.user) && note.place.startsWith(start),
  );
  if (isOfOthers)
    throw new CandorError(
      'server.no-right',
      `${name} may not read ${shownPlace(place)}: it holds notes of others.`,
    );
}

export async function needAdmin(context: Context<ServerEnv>): Promise<void> {
  const { name, isAdmin } = context.get('person');
  if (isAdmin) return;
  await context.get('parts').people?.audit(name, 'right denied', { right: 'admin', path: context.req.path });
  throw new CandorError('server.no-right', `${name} is no admin of this server.`);
}

/** Throws `server.quota` where so many are more than the hour has left; then none is taken. */
export async function takeQuestions(context: Context<ServerEnv>, count = 1): Promise<void> {
  const { people } = context.get('parts');
  const person = context.get('person');
  if ((await people?.takeQuestions(person, count)) ?? true) return;
  if (person.rights.questionsPerHour === 0)
    throw new CandorError(
      'server.no-right',
      `${person.name} is in no group that may ask questions; whoever runs the server puts people into groups.`,
    );
  const what =
    count === 1
      ? `${person.name} has asked all questions of this hour.`
      : `${count} questions are more than ${person.name} has left of this hour.`;
  throw new CandorError('server.quota', what);
}
