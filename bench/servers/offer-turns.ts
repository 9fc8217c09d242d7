import { pause } from '../chats/pause.ts';
import { postForEvents } from '../chats/post-for-events.ts';
import { percentile } from '../figures.ts';

export interface OfferedLoad {
  readonly url: string;
  /** Turns that come in a second, whether those before have ended or not. */
  readonly turnsPerSecond: number;
  readonly seconds: number;
  readonly questions: readonly string[];
  /** In [0, 1). */
  readonly random: () => number;
}

export interface Sustained {
  readonly turns: number;
  readonly errors: readonly string[];
  readonly firstP95Ms: number;
  readonly doneP50Ms: number;
  readonly doneP95Ms: number;
  /** Turns that had not ended when the last of them was sent. */
  readonly leftAtEnd: number;
}

/** The first turns find caches that are empty. */
const WARM_SECONDS = 4;
/** So many turns, then a conversation of that person is a new one. */
const TURNS_OF_A_CHAT = 6;

/** Turns at random moments (a Poisson stream) in conversations of many people: an open loop, which a slow server does not slow down. */
export async function offerTurns(load: OfferedLoad): Promise<Sustained> {
  const { url, turnsPerSecond, seconds, questions, random } = load;
  const [first, done, errors]: [number[], number[], string[]] = [[], [], []];
  const free: { id: string; turns: number }[] = [];
  let inWork = 0;
  const all: Promise<void>[] = [];
  const one = async (isWarm: boolean): Promise<void> => {
    const from = performance.now();
    let at: number | undefined;
    inWork += 1;
    try {
      const text = questions[Math.floor(random() * questions.length)] ?? '';
      const chat = free.shift() ?? { id: await newChat(url), turns: 0 };
      const asked = performance.now();
      const { body: reply } = await postForEvents(
        `${url}/v1/chats/${chat.id}/turns`,
        JSON.stringify({ text }),
        () => {
          at ??= performance.now() - asked;
        },
      );
      if (!reply.includes('event: done')) errors.push(reply.slice(-300));
      else if (!isWarm) {
        first.push(at ?? Number.NaN);
        done.push(performance.now() - from);
      }
      chat.turns += 1;
      if (chat.turns < TURNS_OF_A_CHAT) free.push(chat);
    } catch (error) {
      errors.push(String(error));
    } finally {
      inWork -= 1;
    }
  };
  const begin = performance.now();
  for (let next = 0; next < WARM_SECONDS + seconds; next += -Math.log(1 - random()) / turnsPerSecond) {
    await pause(begin + next * 1_000 - performance.now());
    all.push(one(next < WARM_SECONDS));
  }
  const leftAtEnd = inWork;
  await Promise.all(all);
  const figures = { firstP95Ms: percentile(first, 0.95), doneP50Ms: percentile(done, 0.5) };
  return { turns: done.length, errors, ...figures, doneP95Ms: percentile(done, 0.95), leftAtEnd };
}

async function newChat(url: string): Promise<string> {
  const { body } = await postForEvents(`${url}/v1/chats`, '', () => undefined);
  const { id }: { id: string } = JSON.parse(body);
  return id;
}
