import type { UserProfile } from '../../foundation/principal.ts'
import type { identityAccount } from './tables.ts'

type StoredProfile = Pick<typeof identityAccount.$inferSelect, 'email' | 'givenName' | 'familyName' | 'locale'>

/** Returns the profile of an account. */
export function profileOf({ email, givenName, familyName, locale }: StoredProfile): UserProfile {
  const name = [givenName, familyName].filter((part) => part !== null).join(' ')
  // the operator who creates an account has the address from its owner
  return { email, emailVerified: true, name: name === '' ? null : name, givenName, familyName, locale }
}

/** Returns the standard claims of a profile (OpenID Connect Core 1.0, section 5.1), without those that it does not have. */
export function profileClaims({
  email,
  emailVerified,
  name,
  givenName,
  familyName,
  locale,
}: UserProfile): Readonly<Record<string, unknown>> {
  const claims = { email, email_verified: emailVerified, name, given_name: givenName, family_name: familyName, locale }
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null))
}
