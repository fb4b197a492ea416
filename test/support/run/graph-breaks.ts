import {
  astFromValue,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  isRequiredInputField,
  print,
} from 'graphql'
import type { BreakingEntry } from './changelog.ts'

/** A breaking change of the graph. */
export interface GraphBreak {
  readonly description: string
  /** Names by one of which the changelog must announce it: `Type`, `Type.field`, `Enum.VALUE`, `Union.Member`; `Type.*` for fields that became nullable. */
  readonly names: readonly string[]
  /** An entry must announce the removal: one about another change of the member does not count. */
  readonly isRemoval: boolean
}

/** Subjects of the messages of graphql-js; more specific patterns first. */
const places: readonly (readonly [sentence: RegExp, nameOf: (groups: readonly string[]) => readonly string[]])[] = [
  [
    /^(\w+)\.(\w+) changed type from (.+) to (.+)\.$/,
    ([, type, field, from, to]) => [`${type}.${field}`, ...(`${to}!` === from ? [`${type}.*`] : [])],
  ],
  [/^(\w+) was removed from (?:enum|union) type (\w+)\.$/, ([, member, type]) => [`${type}.${member}`]],
  [
    /^A required (?:field|arg) (\w+) on (?:input type )?(\w+)(?:\.(\w+))? was added\.$/,
    ([, added, type, field]) => [`${type}.${field ?? added}`],
  ],
  [/^(\w+)\.(\w+)\b/, ([, type, field]) => [`${type}.${field}`]],
  [/^(?:Standard scalar )?(\w+) /, ([, type]) => [String(type)]],
]

function namesOf(description: string): readonly string[] {
  for (const [sentence, nameOf] of places) {
    const groups = sentence.exec(description)
    if (groups !== null) return nameOf(groups)
  }
  return [description]
}

/** Returns the breaking changes between two graphs. Another default counts, too: it changes requests without the value. */
export function graphBreaks(before: GraphQLSchema, after: GraphQLSchema): readonly GraphBreak[] {
  const defaults = findDangerousChanges(before, after).filter(({ type }) => type === 'ARG_DEFAULT_VALUE_CHANGE')
  const changes = [...findBreakingChanges(before, after), ...defaults].map(({ description }) => ({
    description,
    names: namesOf(description),
    isRemoval: / was removed\b/.test(description),
  }))
  return [...changes, ...inputDefaults(before, after)]
}

/** Defaults of input fields, which graphql-js does not compare: a removed default makes its field required. */
function inputDefaults(before: GraphQLSchema, after: GraphQLSchema): readonly GraphBreak[] {
  return Object.values(before.getTypeMap()).flatMap((type) => {
    const now = after.getType(type.name)
    if (!isInputObjectType(type) || !isInputObjectType(now)) return []
    return Object.values(type.getFields()).flatMap((field) => {
      const member = now.getFields()[field.name]
      if (member === undefined || String(member.type) !== String(field.type) || defaultOf(member) === defaultOf(field)) return []
      const name = `${type.name}.${field.name}`
      const what = isRequiredInputField(member) ? 'must be given' : `has another default: ${defaultOf(member) ?? 'none'}`
      return field.defaultValue === undefined ? [] : [{ description: `${name} ${what}.`, names: [name], isRemoval: false }]
    })
  })
}

function defaultOf({ defaultValue, type }: GraphQLInputField): string | undefined {
  const value = defaultValue === undefined ? undefined : astFromValue(defaultValue, type)
  return value == null ? undefined : print(value)
}

/** Whether an entry names what changed; a removal must be named as removed. */
export const isGraphBreakAnnounced = ({ names, isRemoval }: GraphBreak, entries: readonly BreakingEntry[]): boolean =>
  names.some((name) => entries.some((entry) => (isRemoval ? entry.removed : entry.names).has(name)))
