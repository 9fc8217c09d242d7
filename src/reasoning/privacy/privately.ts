import { knownWords } from '../../catalog/share/index.ts';
import { CandorError } from '../../errors.ts';
import { type ChatRequest, type LanguageModel, modelFacts } from '../../model/index.ts';
import { isByPeople, promptBlocks } from './prompt-blocks.ts';
import type { ValueProbe } from './value-probe.ts';

/** Words of the model's own replies that are remembered; what it said it may be told. */
const MOST_REMEMBERED = 50_000;

/**
 * `model` for private mode: whoever asks it leaves stored values out, and a request in which the probe still finds one
 * is refused with `model.would-leak`, which names role, block and column, never the value. The second wall: the first is
 * the types of `src/catalog/share/`.
 */
export function privately(model: LanguageModel, probe: ValueProbe): LanguageModel {
  const said = new Set<string>();
  return {
    ...modelFacts(model),
    isPrivate: true,
    chat: async (request) => {
      refuseLeaks(request, probe, said);
      const reply = await model.chat(request);
      const own = [reply.text, ...reply.toolCalls.map((call) => call.arguments)];
      for (const word of knownWords(own)) if (said.size < MOST_REMEMBERED) said.add(word);
      return reply;
    },
  };
}

function refuseLeaks(
  { role = 'unnamed', messages }: ChatRequest,
  probe: ValueProbe,
  said: ReadonlySet<string>,
): void {
  const blocks = messages.flatMap((message) =>
    message.role === 'system' || message.role === 'assistant' ? [] : promptBlocks(message),
  );
  const byPeople = blocks.filter(({ name }) => name !== undefined && isByPeople(name));
  const known = new Set([...said, ...knownWords(byPeople.map(({ text }) => text))]);
  const found = blocks
    .filter(({ name }) => name !== undefined && !isByPeople(name))
    .flatMap(({ name = '', text }) => probe.leaksIn(text, known).map(({ columnId }) => ({ name, columnId })));
  const [first] = found;
  if (first === undefined) return;
  const more = found.length > 1 ? ` and ${found.length - 1} more` : '';
  throw new CandorError(
    'model.would-leak',
    `Private mode held back a request (${role}): the block “${first.name}” holds a value of ${first.columnId}${more}.`,
    { data: { role, found } },
  );
}
