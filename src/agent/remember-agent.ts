import { CandorError } from '../errors.ts';
import { addProposal, dropProposal, readProposals } from '../knowledge/index.ts';
import type { Session } from '../session.ts';
import type { TurnDesk } from './open-turn-desk.ts';
import type { Remembered } from './routing/remembered.ts';
import { tablesNamed } from './routing/tables-named.ts';
import { type Served, type ServedTurn, said } from './served.ts';
import { settled } from './talk-state.ts';
import type { KeepKnowledge } from './turn.ts';

/** Keeps what a person asks to be remembered as a proposal, theirs at once and everybody's after a review. */
export async function rememberAgent(
  { text, synonym }: Remembered,
  { talk }: ServedTurn,
  desk: TurnDesk,
): Promise<Served> {
  if (text === '') return said('What shall I remember? Say it as one sentence: “remember that …”.', talk);
  const { session, options } = desk;
  const keep = options.keep ?? keepIn(session);
  const by = session.config.user;
  const kept = await orSaid(() =>
    keep({
      kind: 'propose',
      proposal: {
        text,
        tables: tablesNamed(text, session.catalog),
        synonym,
        by,
        at: session.wallClock().toISOString().slice(0, 10),
      },
    }),
  );
  if (typeof kept === 'string') return said(kept, talk);
  const whose = by === undefined ? 'for whoever works here' : `for you, ${by}`;
  const lines = [
    synonym === undefined
      ? `Noted: “${kept.text}” It holds ${whose}, from the next question on.`
      : `Noted: “${synonym.term}” stands for “${synonym.meaning}” in questions, ${whose}, from the next one on.`,
    ...(synonym === undefined && session.models === undefined ? [WITHOUT_MODEL] : []),
    `For everybody it holds after a review: it waits in knowledge/proposed.md as ${kept.key}, and \`candor knowledge proposals\` lists, accepts and withdraws what waits there. “Forget that” withdraws it too.`,
  ];
  return said(lines.join('\n'), settled(talk), ['Forget that']);
}

const WITHOUT_MODEL =
  'It is shown where a word is explained and told to a language model; the built-in engine computes by the semantic model alone, so define a figure or a filter there for it.';

/** Withdraws what the same person proposed last. */
export async function forgetAgent({ talk }: ServedTurn, { session, options }: TurnDesk): Promise<Served> {
  const own = (await readProposals(session.config.knowledgeDirectory)).filter(
    ({ user }) => user === session.config.user,
  );
  const last = own.at(-1);
  if (last === undefined)
    return said('Nothing of yours waits for a review, so there is nothing to forget.', talk);
  const keep = options.keep ?? keepIn(session);
  const dropped = await orSaid(() => keep({ kind: 'withdraw', key: last.key }));
  if (typeof dropped === 'string') return said(dropped, talk);
  return said(`Forgotten: “${dropped.text}”`, settled(talk));
}

/** Where nobody else sees to it: straight into the files of the project. */
export function keepIn({ config }: Pick<Session, 'config'>): KeepKnowledge {
  return (change) =>
    change.kind === 'propose'
      ? addProposal(config.knowledgeDirectory, change.proposal)
      : dropProposal(config.knowledgeDirectory, change.key);
}

/** What cannot be kept is told, and the talk goes on. */
async function orSaid<Result>(work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CandorError && error.code === 'knowledge.refused') return error.message;
    throw error;
  }
}
