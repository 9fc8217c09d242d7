import { CandorError } from '../errors.ts';
import { addProposal, dropProposal, type Proposal, readProposals } from '../knowledge/authored/index.ts';
import { nameWords } from '../language/index.ts';
import type { Session } from '../session/index.ts';
import { tablesNamed } from './routing/read-reply.ts';
import { type Remembered, withdrawnIn } from './routing/remembered.ts';
import { settled } from './turn/talk-state.ts';
import type { KeepKnowledge } from './turn/turn.ts';
import type { TurnContext } from './turn/turn-context.ts';
import { type Served, type ServedTurn, said } from './turn/turn-context.ts';

/** Keeps what a person asks to be remembered as a proposal, theirs at once and everybody's after a review. */
export async function rememberAgent(
  remembered: Remembered,
  { talk }: ServedTurn,
  turnContext: TurnContext,
): Promise<Served> {
  const { text, isHalf, also = [] } = remembered;
  if (isHalf === true) return said(`“${text} …” is half a sentence: say all of it, and it is kept.`, talk);
  if (text === '') return said('What shall I remember? Say it as one sentence: “remember that …”.', talk);
  const lines: string[] = [];
  for (const one of [remembered, ...also]) {
    const kept = await keepOne(one, turnContext);
    if ('refused' in kept) return said([...lines, kept.refused].join('\n'), talk);
    lines.push(...kept.lines);
    if (one === (also.at(-1) ?? remembered)) lines.push(howReviewed(kept.key));
  }
  return said(lines.join('\n'), settled(talk), ['Forget that']);
}

type Kept = { readonly refused: string } | { readonly key: string; readonly lines: readonly string[] };

async function keepOne(one: Remembered, { session, options }: TurnContext): Promise<Kept> {
  const { text } = one;
  const keep = options.keep ?? keepIn(session);
  const by = session.config.user;
  // A word that names something here is read as that, and goes on being so.
  const owner = one.synonym && ownerOf(one.synonym.term, session);
  const synonym = owner === undefined ? one.synonym : undefined;
  const older = synonym && (await ownSynonym(synonym.term, session));
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
  if (typeof kept === 'string') return { refused: kept };
  const whose = by === undefined ? 'for whoever works here' : `for you, ${by}`;
  const lines =
    synonym === undefined
      ? [
          `Noted: “${kept.text}” It holds ${whose}, from the next question on.`,
          ...(owner === undefined || one.synonym === undefined
            ? []
            : [
                `“${one.synonym.term}” is ${owner} here, so no other word takes its place in questions: this is kept as a note. To say it of questions, take a word that names nothing here.`,
              ]),
          ...(session.models === undefined ? [WITHOUT_MODEL] : []),
        ]
      : [
          `Noted: “${synonym.term}” stands for “${synonym.meaning}” in questions, ${whose}, from the next one on.`,
          ...(older === undefined || older === synonym.meaning
            ? []
            : [`It takes the place of “${older}”, for which “${synonym.term}” stood until now.`]),
        ];
  return { key: kept.key, lines };
}

function howReviewed(key: string): string {
  return `For everybody it holds after a review: it waits in knowledge/proposed.md as ${key}, and \`candor knowledge proposals\` lists, accepts and withdraws what waits there. “Forget that” withdraws it too.`;
}

/** What a word names here: `the table orders`; undefined where it names nothing. */
function ownerOf(term: string, { catalog, semantics }: Session): string | undefined {
  const is = (name: string) => formOf(name) === formOf(term);
  const table = catalog.tables.find(({ name }) => is(name));
  if (table !== undefined) return `the table ${table.name}`;
  const metric = semantics.metrics.find(({ name }) => is(name));
  if (metric !== undefined) return `the figure ${metric.name}`;
  const dimension = semantics.dimensions.find(({ name }) => is(name));
  if (dimension !== undefined) return `the dimension ${dimension.name}`;
  const holder = catalog.tables.find(({ columns }) => columns.some(({ name }) => is(name)));
  return holder === undefined ? undefined : `a column of ${holder.name}`;
}

/** `Order Items` and `order_item` are one name. */
function formOf(name: string): string {
  const words = nameWords(name).join(' ');
  return words.replace(/(?<=\p{L}{2})ies$/u, 'y').replace(/(?<=[^s])s$/, '');
}

/** What the same person's word stands for until now, said by them or reviewed. */
async function ownSynonym(term: string, { config, semantics }: Session): Promise<string | undefined> {
  const isIt = (one: string | undefined) => one?.toLowerCase() === term.toLowerCase();
  const own = (await readProposals(config.knowledgeDirectory)).findLast(
    ({ user, synonym }) => user === config.user && isIt(synonym?.term),
  );
  const reviewed = semantics.jargon.find((one) => one.isProposed !== true && isIt(one.term));
  return own?.synonym?.meaning ?? reviewed?.meaning;
}

const WITHOUT_MODEL =
  'It is shown where a word is explained and told to a language model; the built-in engine computes by the semantic model alone, so define a figure or a filter there for it.';

/** Withdraws what the same person proposed last, or what they name. */
export async function forgetAgent(
  { talk, turn }: ServedTurn,
  { session, options }: TurnContext,
): Promise<Served> {
  const own = (await readProposals(session.config.knowledgeDirectory)).filter(
    ({ user }) => user === session.config.user,
  );
  const named = withdrawnIn(turn.text);
  const meant = named === undefined ? own.at(-1) : own.findLast((one) => says(one, named));
  if (own.length === 0)
    return said('Nothing of yours waits for a review, so there is nothing to forget.', talk);
  if (meant === undefined)
    return said(
      `Nothing of yours says so. What waits for a review: ${own.map(({ text }) => `“${text}”`).join(' ')}`,
      talk,
    );
  const keep = options.keep ?? keepIn(session);
  const dropped = await orSaid(() => keep({ kind: 'withdraw', key: meant.key }));
  if (typeof dropped === 'string') return said(dropped, talk);
  return said(`Forgotten: “${dropped.text}”`, settled(talk));
}

/** The same word for the same meaning, or the same sentence. */
function says({ text, synonym }: Proposal, named: Remembered): boolean {
  const same = (one: string | undefined, other: string | undefined) =>
    one !== undefined && one.toLowerCase() === other?.toLowerCase();
  if (same(text, named.text)) return true;
  return same(synonym?.term, named.synonym?.term) && same(synonym?.meaning, named.synonym?.meaning);
}

/** Where nobody else sees to it: straight into the files of the project. */
export function keepIn({ config }: Pick<Session, 'config'>): KeepKnowledge {
  return (change) =>
    change.kind === 'propose'
      ? addProposal(config.knowledgeDirectory, change.proposal)
      : dropProposal(config.knowledgeDirectory, change.key);
}

const UNKEPT: ReadonlySet<string> = new Set(['knowledge.refused', 'knowledge.locked']);

/** What cannot be kept is told, and the talk goes on. */
async function orSaid<Result>(work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CandorError && UNKEPT.has(error.code)) return error.message;
    throw error;
  }
}
