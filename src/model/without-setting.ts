import type { JsonAbility, ModelProfile, SamplingSetting } from './model-profiles.ts';
import type { RefusableSetting, RefusedSetting } from './refused-setting.ts';

const SAMPLING: Partial<Readonly<Record<RefusableSetting, SamplingSetting>>> = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  logprobs: 'logProbabilities',
};

/** How a reply is held to JSON where the service does not take the one before. */
const WEAKER: Readonly<Record<JsonAbility, JsonAbility>> = { schema: 'object', object: 'none', none: 'none' };

/** A model that is not sent what its service refuses; the same profile where it is not sent that anyway. */
export function withoutSetting(profile: ModelProfile, { setting, mostTokens }: RefusedSetting): ModelProfile {
  if (mostTokens !== undefined)
    return mostTokens < profile.maxReplyTokens ? { ...profile, maxReplyTokens: mostTokens } : profile;
  switch (setting) {
    case 'system':
      return profile.takesSystem ? { ...profile, takesSystem: false } : profile;
    case 'response_format':
      return profile.json === 'none' ? profile : { ...profile, json: WEAKER[profile.json] };
    case 'max_tokens':
    case 'max_completion_tokens':
      // One that was not sent is refused in vain.
      return profile.replyBounds[0] === setting
        ? { ...profile, replyBounds: profile.replyBounds.slice(1) }
        : profile;
    default: {
      const takes = profile.takes.filter((one) => one !== SAMPLING[setting]);
      return takes.length < profile.takes.length ? { ...profile, takes } : profile;
    }
  }
}
