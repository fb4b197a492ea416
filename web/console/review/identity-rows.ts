type ReadName = 'firstName' | 'lastName' | 'dateOfBirth' | 'sex' | 'nationality' | 'expiryDate' | 'documentNumber'
type ReadIdentity = Readonly<Record<ReadName, string | null>>

/** What was declared and read. */
export interface Evidence {
  readonly declaredIdentity: {
    readonly firstName: string
    readonly lastName: string
    readonly dateOfBirth: string | null
    readonly declaredGender: keyof typeof sexes | null
    readonly nationality: string | null
  }
  readonly printedIdentity: ReadIdentity | null
  readonly machineReadableIdentity: ReadIdentity | null
}

/** A value as declared, printed and in the machine-readable zone. */
export interface IdentityRow {
  readonly term: `person.${'last-name' | 'first-name' | 'born' | 'gender' | 'nationality' | 'expires' | 'number'}`
  readonly cells: readonly { readonly column: (typeof columns)[number]; readonly value: string | undefined; readonly differs: boolean }[]
}

const columns = ['declared', 'printed', 'zone'] as const

const sexes = { MALE: 'M', FEMALE: 'F', OTHER: 'X', NOT_STATED: '' } as const

/** Returns the values of each row; a value that differs from the first one of its row is marked. */
export function identityRows({
  declaredIdentity: declared,
  printedIdentity: printed,
  machineReadableIdentity: zone,
}: Evidence): readonly IdentityRow[] {
  const sex = declared.declaredGender === null ? undefined : sexes[declared.declaredGender]
  return [
    rowOf('person.last-name', declared.lastName, printed?.lastName, zone?.lastName),
    rowOf('person.first-name', declared.firstName, printed?.firstName, zone?.firstName),
    rowOf('person.born', declared.dateOfBirth, printed?.dateOfBirth, zone?.dateOfBirth),
    rowOf('person.gender', sex, printed?.sex, zone?.sex),
    rowOf('person.nationality', declared.nationality, printed?.nationality, zone?.nationality),
    rowOf('person.expires', null, printed?.expiryDate, zone?.expiryDate),
    rowOf('person.number', null, printed?.documentNumber, zone?.documentNumber),
  ]
}

type Value = string | null | undefined

function rowOf(term: IdentityRow['term'], declared: Value, printed: Value, zone: Value): IdentityRow {
  const present = { declared, printed, zone }
  const first = Object.values(present).find((value) => value != null && value !== '')
  const cells = columns.map((column) => {
    const value = present[column] || undefined
    return { column, value, differs: value !== undefined && first != null && !isAlike(value, first) }
  })
  return { term, cells }
}

/** Compares without case, accents and separators; a two-letter country equals a code that begins with it. */
export function isAlike(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)]
  return a === b || (a.length + b.length === 5 && a.slice(0, 2) === b.slice(0, 2))
}

const bare = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
