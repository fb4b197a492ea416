import { InvalidInput } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import { hasVisibleCharacter, isStorableText } from '../../../foundation/validation/values.ts'
import { blank, sentenceOf, tooLong, unstorable, type Violation } from '../../../foundation/validation/violation.ts'
import { type AddressRules, CallbackRefused, callbackUrl } from '../callbacks/callback-address.ts'
import { countryCode } from '../document/countries.ts'
import { findDates } from '../document/dates.ts'
import { checkIdempotencyKey } from '../intake/idempotency.ts'
import { decodeChip, decodeChipResponse } from '../submission/decode-chip.ts'
import { decodeFrames } from '../submission/decode-frames.ts'
import { decodeImage } from '../submission/decode-image.ts'
import { DeclaredIdentity, type NewJob } from '../submission/submission.ts'
import type { DeclaredIdentityInput, SubmitVerificationInput } from './verification.input.ts'

type Path = Violation['path']

/** The jobs of one submission. */
export interface SubmittedJobs {
  /** each job with its path in the input */
  readonly jobs: readonly { readonly input: SubmitVerificationInput; readonly path: Path }[]
  readonly idempotencyKey?: string | null | undefined
}

const maxTextLength = 512
/** a name has a letter of any script */
const letter = /\p{L}/u

/**
 * Converts submissions to jobs. The documented REST interface accepts any string in members that the graph checks: there, such a job ends with
 * an error or in review.
 * @throws {InvalidInput} with one entry for each invalid member of all jobs
 */
export function submittedJobs(
  { jobs, idempotencyKey }: SubmittedJobs,
  context: Pick<RequestContext, 'interface'>,
  rules: AddressRules,
): NewJob[] {
  const violations: Violation[] = []
  const isChecked = context.interface !== 'rest'
  if (isChecked && idempotencyKey != null) collect(violations, () => checkIdempotencyKey(idempotencyKey))
  const read = jobs.map(({ input, path }) => {
    const refused: Violation[] = []
    const job = newJob(input, path, refused)
    if (isChecked) violations.push(...problemsOf(input, job.submission, path, rules))
    violations.push(...refused)
    return job
  })
  const [first] = violations
  if (first !== undefined) throw new InvalidInput(violations.map(sentenceOf).slice(0, 20).join('; '), violations)
  return read
}

/** Refuses a code that identifies no citizen. @throws {InvalidInput} */
export function checkCitizenCode(code: string, path: Path): void {
  const violations = codeProblems(code, path)
  if (violations.length > 0) throw new InvalidInput(violations.map(sentenceOf).join('; '), violations)
}

/** @param decoded - the submission of the input */
function* problemsOf(
  input: SubmitVerificationInput,
  decoded: NewJob['submission'],
  path: Path,
  rules: AddressRules,
): Generator<Violation, void> {
  yield* codeProblems(input.citizenCode, [...path, 'citizenCode'])
  if (countryCode(input.countryCode) === undefined) yield unknownCountry([...path, 'countryCode'])
  for (const member of ['selfie', 'documentFront', 'documentBack'] as const) {
    const image = decoded[member]
    if (image !== undefined && 'problem' in image) yield imageProblems[image.problem]([...path, member])
  }
  yield* identityProblems(input.declaredIdentity, [...path, 'declaredIdentity'])
  if (input.callbackUrl != null && !isCallback(input.callbackUrl, rules))
    yield {
      code: 'not_a_public_url',
      path: [...path, 'callbackUrl'],
      message: 'Input should be an https URL on the public internet, without credentials',
    }
}

function* identityProblems(identity: DeclaredIdentityInput, path: Path): Generator<Violation, void> {
  for (const member of ['firstName', 'lastName'] as const) yield* nameProblems(identity[member], [...path, member])
  const { dateOfBirth, nationality } = identity
  if (dateOfBirth != null && findDates(dateOfBirth, undefined, new Date().getUTCFullYear()).length === 0)
    yield { code: 'not_a_date', path: [...path, 'dateOfBirth'], message: 'Input should be a date such as 1987-07-14' }
  if (nationality != null && countryCode(nationality) === undefined) yield unknownCountry([...path, 'nationality'])
}

const codeProblems = (code: string, path: Path): Violation[] => (hasVisibleCharacter(code) ? textProblems(code, path) : [blank(path)])

const nameProblems = (name: string, path: Path): Violation[] =>
  letter.test(name) ? textProblems(name, path) : [{ code: 'blank', path, message: 'String should have at least one letter' }]

function textProblems(text: string, path: Path): Violation[] {
  if (text.length > maxTextLength) return [tooLong(path, maxTextLength)]
  return isStorableText(text) ? [] : [unstorable(path)]
}

const unknownCountry = (path: Path): Violation => ({
  code: 'unknown',
  path,
  message: 'Input should be a country code of ISO 3166-1, alpha-2 or alpha-3',
})

const imageProblems: Readonly<Record<'empty_image' | 'invalid_base64' | 'image_too_large', (path: Path) => Violation>> = {
  empty_image: (path) => ({ code: 'too_short', path, message: 'Image should have at least 1 byte', constraint: { min: 1 } }),
  invalid_base64: (path) => ({ code: 'not_base64', path, message: 'Image should be base64' }),
  image_too_large: (path) => ({ code: 'too_long', path, message: 'Image should have at most 5 MB', constraint: { max: 5 * 1024 * 1024 } }),
}

function isCallback(text: string, rules: AddressRules): boolean {
  try {
    return callbackUrl(text, rules) !== undefined
  } catch (error) {
    if (error instanceof CallbackRefused) return false
    throw error
  }
}

/** @param violations - receives the problems of chip files and frames, which no interface accepts */
function newJob(input: SubmitVerificationInput, path: Path, violations: Violation[]): NewJob {
  const { chip: files, liveness: capture } = input
  const response = files?.activeAuthentication
  const chip = files == null ? undefined : collect(violations, () => decodeChip(files, [...path, 'chip']))
  const chipResponse =
    files == null || response == null ? undefined : collect(violations, () => decodeChipResponse(response, files, [...path, 'chip']))
  const liveness = capture == null ? undefined : collect(violations, () => decodeFrames(capture, [...path, 'liveness']))
  const gender = renamed(input.declaredIdentity, 'declaredGender', 'gender', violations, [...path, 'declaredIdentity']).value
  return {
    citizenCode: input.citizenCode,
    documentType: input.documentType,
    countryCode: input.countryCode,
    priority: input.priority,
    callbackUrl: input.callbackUrl ?? null,
    submission: {
      declaredIdentity: DeclaredIdentity.parse({ ...input.declaredIdentity, gender }),
      selfie: decodeImage(input.selfie),
      documentFront: decodeImage(input.documentFront),
      ...(input.documentBack == null ? {} : { documentBack: decodeImage(input.documentBack) }),
      ...(chip && { chip }),
      ...(chipResponse && { chipResponse }),
      ...(liveness && { liveness }),
    },
  }
}

/** Returns the value, or undefined after adding the entries of its refusal. */
function collect<Value>(violations: Violation[], read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    violations.push(...(error.details.entries ?? []))
    return undefined
  }
}
