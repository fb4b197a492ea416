import { isEmail } from '../../../engines/identity/normal-email.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { isTenant } from '../../../foundation/validation/values.ts'
import { required, sentenceOf, textViolations, tooMany, type Violation } from '../../../foundation/validation/violation.ts'

/** Data of an account; an absent member stays unchanged, null removes it. */
export interface AccountChanges {
  readonly email?: string
  readonly roles?: readonly string[] | null | undefined
  readonly groups?: readonly string[] | null | undefined
  readonly givenName?: string | null | undefined
  readonly familyName?: string | null | undefined
  readonly locale?: string | null | undefined
  readonly tenantId?: string | null | undefined
}

/** RFC 5321, section 4.5.3.1.3, without the brackets */
const maxEmail = 254
const maxText = 200
const maxGroups = 100

/**
 * Validates the data of an account.
 * @param groupsMember - name of `groups` in the input, for errors  @param others - violations of other members
 * @throws {InvalidInput} with an entry for each invalid member
 */
export function checkAccount(
  { email, roles, groups, givenName, familyName, locale, tenantId }: AccountChanges,
  groupsMember: string,
  others: readonly Violation[] = [],
): void {
  const violations = [...others]
  if (email !== undefined)
    violations.push(...violationsOf(['email'], email, maxEmail, isAddress, 'not_an_email', 'Input should be an e-mail address'))
  if (roles?.length === 0) violations.push({ ...required(['roles']), message: 'An account requires at least one role' })
  if (groups != null && groups.length > maxGroups) violations.push(tooMany([groupsMember], maxGroups, groups.length))
  else
    for (const [at, group] of (groups ?? []).entries())
      violations.push(
        ...violationsOf([groupsMember, at], group, maxText, isWord, 'blank', 'Input should have at least one visible character'),
      )
  for (const [name, value] of Object.entries({ givenName, familyName }))
    if (value != null)
      violations.push(...violationsOf([name], value, maxText, isWord, 'blank', 'Input should have at least one visible character'))
  if (locale != null)
    violations.push(
      ...violationsOf(['locale'], locale, maxText, isLanguage, 'wrong_pattern', 'Input should be a language tag, such as fr or ar-DZ'),
    )
  if (tenantId != null)
    violations.push(
      ...violationsOf(['tenantId'], tenantId, maxText, isTenant, 'wrong_pattern', 'Input should be 1 to 63 of a-z, 0-9 and -'),
    )
  if (violations.length > 0) throw new InvalidInput(violations.map(sentenceOf).join('; '), violations)
}

function violationsOf(
  path: Violation['path'],
  value: string,
  max: number,
  fits: (value: string) => boolean,
  code: Violation['code'],
  message: string,
): readonly Violation[] {
  const violations = textViolations(path, value, max)
  return violations.length > 0 || fits(value) ? violations : [{ code, path, message }]
}

const isAddress = (value: string): boolean => isEmail(value.trim())
const isWord = (value: string): boolean => /[^\s\p{C}]/u.test(value)

function isLanguage(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}
