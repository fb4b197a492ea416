/** Words as the values of an enum, by the names that the graph gives them: `results:all` is RESULTS_ALL. */
export function byEnumName<Word extends string>(words: readonly Word[]): Readonly<Record<string, Word>> {
  return Object.fromEntries(words.map((word) => [word.replaceAll(':', '_').toUpperCase(), word]))
}

/** The word of such a name again, where whoever reads it has no list of the words: none of those has a `_`. */
export const wordOfEnumName = (name: string): string => name.toLowerCase().replaceAll('_', ':')
