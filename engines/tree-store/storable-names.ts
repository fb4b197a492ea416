import { isStorableText } from '../../foundation/validation/storable.ts'

/** a key of Cassandra ends at 64 KiB, an entry of an index of PostgreSQL at 2,704 bytes */
const maxCharacters = 1000

/** Of the names that somebody asks for, those that a row can have at all. */
export const storableNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name.length <= maxCharacters && isStorableText(name))
