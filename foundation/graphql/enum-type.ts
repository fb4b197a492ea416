import { registerEnumType } from 'type-graphql'

/** Name of a GraphQL enum and the descriptions of it and of each of its values. */
export interface EnumDescription<Values extends object> {
  readonly name: string
  readonly description: string
  readonly values: Readonly<Record<Extract<keyof Values, string>, string>>
}

/** Registers a GraphQL enum whose values are all described. @throws {Error} for a value without a description */
export function registerEnum<Values extends object>(values: Values, { name, description, values: texts }: EnumDescription<Values>): void {
  const valuesConfig: NonNullable<Parameters<typeof registerEnumType<Values>>[1]['valuesConfig']> = {}
  for (const value in values) {
    if (texts[value] === undefined) throw new Error(`GraphQL enum ${name}: value ${value} has no description`)
    valuesConfig[value] = { description: texts[value] }
  }
  registerEnumType(values, { name, description, valuesConfig })
}

/** Maps words to the names of the enum values that represent them in GraphQL: `results:all` is RESULTS_ALL. */
export function byEnumName<Word extends string>(words: readonly Word[]): Readonly<Record<string, Word>> {
  return Object.fromEntries(words.map((word) => [word.replaceAll(':', '_').toUpperCase(), word]))
}

/** Returns the word of an enum value's name; words contain no `_`. */
export const wordOfEnumName = (name: string): string => name.toLowerCase().replaceAll('_', ':')
