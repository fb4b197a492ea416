import { isStorableText } from '../../foundation/validation/storable.ts'

/** a Cassandra key is limited to 64 KiB, a PostgreSQL index entry to 2,704 bytes */
const maxCharacters = 1000

/** Filters out names that no row can have. */
export const storableNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name.length <= maxCharacters && isStorableText(name))
