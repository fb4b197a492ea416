/** Maps words to the names of the enum values that represent them in GraphQL: `results:all` is RESULTS_ALL. */
export function byEnumName<Word extends string>(words: readonly Word[]): Readonly<Record<string, Word>> {
  return Object.fromEntries(words.map((word) => [word.replaceAll(':', '_').toUpperCase(), word]))
}

/** Returns the word of an enum value's name; words contain no `_`. */
export const wordOfEnumName = (name: string): string => name.toLowerCase().replaceAll('_', ':')
