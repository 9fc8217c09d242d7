import { pause } from './pause.ts';
import { postForEvents } from './post-for-events.ts';

export interface ChatLoad {
  readonly url: string;
  readonly questions: readonly string[];
  /** Mean time a person thinks between two questions, in milliseconds. */
  readonly thinkMs: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly until: number;
}

export interface ChatTimes {
  /** From the question to the first event, in milliseconds, one for each turn. */
  readonly first: number[];
  /** To the end of the events. */
  readonly done: number[];
  readonly errors: string[];
}

/** One person's conversation: a question, its events to the end, a while of thought, the next one. */
export async function runChat(load: ChatLoad, times: ChatTimes): Promise<void> {
  const { url, questions, thinkMs, random, until } = load;
  await pause(random() * thinkMs);
  const chat = JSON.parse((await postForEvents(`${url}/v1/chats`, '', () => undefined)).body) as {
    id: string;
  };
  while (performance.now() < until) {
    const text = questions[Math.floor(random() * questions.length)] ?? '';
    const from = performance.now();
    let first: number | undefined;
    try {
      const { status, body } = await postForEvents(
        `${url}/v1/chats/${chat.id}/turns`,
        JSON.stringify({ text }),
        () => {
          first ??= performance.now() - from;
        },
      );
      const isWhole = status === 200 && body.includes('event: done') && body.includes('data: [DONE]');
      if (!isWhole || first === undefined) times.errors.push(`${status} ${body.slice(-300)}`);
      else {
        times.first.push(first);
        times.done.push(performance.now() - from);
      }
    } catch (error) {
      times.errors.push(String(error));
    }
    // Exponential, as people who do not wait for each other come.
    await pause(Math.min(-Math.log(1 - random()) * thinkMs, until - performance.now()));
  }
}
