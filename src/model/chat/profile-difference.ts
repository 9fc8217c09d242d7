import type { ModelProfile, SamplingSetting } from '../model-profiles.ts';

/** As OpenAI's form calls them, and so `model.refuses`. */
const SENT_AS: Readonly<Record<SamplingSetting, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  logProbabilities: 'logprobs',
};

export interface ProfileDifference {
  /** In words. */
  readonly said: string;
  /** The line of candor.yml that says the same beforehand; absent: there is none. */
  readonly key?: string;
}

/** What one refusal has shown of a service. */
export function differenceOf(before: ModelProfile, after: ModelProfile): ProfileDifference {
  const dropped = before.takes.find((setting) => !after.takes.includes(setting));
  if (dropped !== undefined) return refused(SENT_AS[dropped]);
  if (before.takesSystem !== after.takesSystem) return refused('system');
  const [bound = ''] = before.replyBounds;
  if (before.replyBounds.length > after.replyBounds.length) return refused(bound);
  if (before.json !== after.json)
    return { said: `it does not hold replies to a JSON ${before.json}`, key: `json: ${after.json}` };
  if (before.maxReplyTokens !== after.maxReplyTokens)
    return { said: `it gives ${shown(after.maxReplyTokens)} tokens at most` };
  return {
    said: `it reads ${shown(after.contextWindow)} tokens`,
    key: `contextWindow: ${after.contextWindow}`,
  };
}

function refused(setting: string): ProfileDifference {
  return { said: `it does not take ${setting}`, key: `refuses: [${setting}]` };
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
