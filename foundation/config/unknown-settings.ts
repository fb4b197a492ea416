/** A variable that is probably a misspelt setting. */
export interface UnknownSetting {
  readonly name: string
  /** the setting that it resembles most */
  readonly closest: string
}

/** variables of other programs that resemble a setting: OpenSSL's of TLS_CERT_FILE */
const ofOtherPrograms = ['SSL_CERT_FILE']

/** shorter names resemble too much */
const minLength = 6
const minCommonStart = 8

/**
 * Returns the variables without a meaning that resemble a setting: with up to two different characters, or one name is the start of the other. Other
 * variables belong to other programs.
 * @param known - names of all settings
 */
export function unknownSettings(variables: readonly string[], known: readonly string[]): readonly UnknownSetting[] {
  const names = new Set([...known, ...ofOtherPrograms])
  return variables
    .filter((name) => name.length >= minLength && /^[A-Z][A-Z0-9_]*$/.test(name) && !names.has(name))
    .flatMap((name) => {
      const [best] = known
        .map((setting) => ({ setting, distance: distanceBetween(name, setting) }))
        .toSorted((a, b) => a.distance - b.distance)
      return best !== undefined && best.distance <= maxDistance ? [{ name, closest: best.setting }] : []
    })
}

const maxDistance = 2

/** Number of inserted, deleted, replaced and exchanged characters (optimal string alignment); 1 if a long name is the start of the other. */
function distanceBetween(one: string, other: string): number {
  const [short = '', long = ''] = [one, other].toSorted((a, b) => a.length - b.length)
  if (short.length >= minCommonStart && long.startsWith(short) && !long.slice(short.length).startsWith('_')) return 1
  if (long.length - short.length > maxDistance) return Number.POSITIVE_INFINITY
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const exchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] ? (before[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, exchanged))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? Number.POSITIVE_INFINITY
}
