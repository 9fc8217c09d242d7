import { z } from 'zod';
import type { OidcConfig } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import type { OidcClaims } from './oidc-client.ts';
import type { PeopleStore, User } from './people-store.ts';

const CLAIMS = z.object({
  sub: z.string().min(1).max(255),
  email: z.email(),
  email_verified: z.literal(true),
});

/**
 * Who the claims are of: known by issuer and subject; at first by a verified address, under which an admin may have added
 * them before. Whoever is new becomes a user who is no admin. Throws `server.oidc-failed`.
 */
export async function userOfClaims(
  claims: OidcClaims,
  { issuer, groupsClaim, allowedDomains }: OidcConfig,
  { store, newId, at }: { readonly store: PeopleStore; readonly newId: () => string; readonly at: string },
): Promise<User> {
  const parsed = CLAIMS.safeParse(claims);
  if (!parsed.success)
    throw refused('the issuer names no e-mail address that it has verified (claims email, email_verified)');
  const name = parsed.data.email.toLowerCase();
  const domain = name.slice(name.lastIndexOf('@') + 1);
  if (!allowedDomains.some((allowed) => allowed.toLowerCase() === domain))
    throw refused(`people of ${domain} are not let in`);
  const subject = `${issuer} ${parsed.data.sub}`;
  const groups = groupsClaim === undefined ? undefined : groupsOf(claims[groupsClaim]);
  const known = (await store.findBySubject(subject)) ?? (await store.findUser(name));
  if (known === undefined)
    await store.addUser({ id: newId(), name, isAdmin: false, groups: groups ?? [], subject, createdAt: at });
  else if (known.subject !== undefined && known.subject !== subject)
    throw refused(`${name} is another person of the issuer by now`);
  else await store.changeUser(known.name, { subject, ...(groups !== undefined && { groups }) });
  const user = await store.findBySubject(subject);
  if (user === undefined || user.isDisabled) throw refused('this user is let in no more');
  return user;
}

/** A claim of another form names no group. */
function groupsOf(claim: unknown): readonly string[] {
  const listed = z.union([z.array(z.string()), z.string().transform((text) => [text])]).safeParse(claim);
  return listed.success ? listed.data : [];
}

function refused(because: string): CandorError {
  return new CandorError('server.oidc-failed', `Nobody is signed in: ${because}.`);
}
