import { chooseAreas } from './knowledge/index.ts';
import type { Session } from './session.ts';

/** What the product areas of whoever asks say about how queries are to be written; undefined where they say nothing. */
export function instructionsOf({
  config,
  authored,
}: Pick<Session, 'config' | 'authored'>): string | undefined {
  const areas = chooseAreas(config.user, config.areas, authored);
  return areas.flatMap(({ instructions }) => instructions ?? []).join('\n') || undefined;
}
