/** All that is done to one question, and what could not be done. */
import type { Alteration, AlteredSite, Made, NotMade } from './edits/alteration.ts';
import { addNoise } from './kinds/add-noise.ts';
import { changeNumbers } from './kinds/change-number.ts';
import { changeValues } from './kinds/change-value.ts';
import { insertRestrictions } from './kinds/insert.ts';
import { replaceWords } from './kinds/replace-words.ts';
import { turnDirections } from './kinds/turn-direction.ts';
import { turnNegations } from './kinds/turn-negation.ts';

type Maker = (site: AlteredSite) => readonly Made[] | Promise<readonly Made[]>;

const MAKERS: readonly Maker[] = [
  insertRestrictions,
  changeNumbers,
  changeValues,
  turnDirections,
  turnNegations,
  replaceWords,
  addNoise,
];

/** `canTell`: whether the rows of an altered gold are others than those of the gold. */
export async function makeAlterations(
  site: AlteredSite,
  canTell: (gold: string) => Promise<boolean>,
): Promise<{ readonly alterations: readonly Alteration[]; readonly notMade: readonly NotMade[] }> {
  const alterations: Alteration[] = [];
  const notMade: NotMade[] = [];
  for (const make of MAKERS) {
    for (const made of await make(site)) {
      if ('because' in made) {
        notMade.push(made);
        continue;
      }
      const taken = await firstThatTells(made.variants, canTell);
      if (taken !== undefined && taken.question !== site.question) alterations.push(taken);
    }
  }
  return { alterations, notMade };
}

async function firstThatTells(
  variants: readonly Alteration[],
  canTell: (gold: string) => Promise<boolean>,
): Promise<Alteration | undefined> {
  for (const variant of variants)
    if (variant.due.kind !== 'changed' || (await canTell(variant.due.gold))) return variant;
  return variants[0];
}
