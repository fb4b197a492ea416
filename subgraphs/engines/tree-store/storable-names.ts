const mostCharacters = 1000

/**
 * Of the names that somebody asks for, those that a row can have at all. PostgreSQL refuses NUL, a lone surrogate becomes another letter on its way,
 * and a key of Cassandra ends at 64 KiB: there is nothing under such names.
 */
export const storableNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name.length <= mostCharacters && name.isWellFormed() && !name.includes('\0'))
