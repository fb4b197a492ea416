/** Words as the values of an enum, by the names that the graph gives them: `results:all` is RESULTS_ALL. */
export function byEnumName<Word extends string>(words: readonly Word[]): Readonly<Record<string, Word>> {
  return Object.fromEntries(words.map((word) => [word.replaceAll(':', '_').toUpperCase(), word]))
}
