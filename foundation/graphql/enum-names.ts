/** Returns words by their GraphQL enum names: `results:all` is RESULTS_ALL. */
export function byEnumName<Word extends string>(words: readonly Word[]): Readonly<Record<string, Word>> {
  return Object.fromEntries(words.map((word) => [word.replaceAll(':', '_').toUpperCase(), word]))
}

/** Returns the word of an enum name without its word list: no word contains `_`. */
export const wordOfEnumName = (name: string): string => name.toLowerCase().replaceAll('_', ':')
