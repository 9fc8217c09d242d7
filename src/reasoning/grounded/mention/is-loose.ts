import type { Token } from '../read/tokenise.ts';

const LOOSE = new Set(
  'the of a an for in on at to by with from and or is are be was were all each what which who that their its his her there do does did how me show list find give have has it as'.split(
    ' ',
  ),
);

/** A word that no name begins or ends with. */
export function isLoose(token: Token | undefined): boolean {
  return token === undefined || LOOSE.has(token.lower);
}
