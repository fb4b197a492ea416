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

/** What a change of the graph takes from its clients. */
export interface GraphBreak {
  readonly description: string
  /** by one of which the changelog must call it: `Type`, `Type.field`, `Enum.VALUE`, `Union.Member`; `Type.*` for fields that may be null now */
  readonly names: readonly string[]
  /** an entry must say that it was removed: one about another change of it does not count */
  readonly isRemoval: boolean
}

/** What the sentences of graphql-js are about; the more of a type first. */
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

/** What breaks clients between two graphs. Another default is such a change, too: who leaves the value out gets something else. */
export function graphBreaks(before: GraphQLSchema, after: GraphQLSchema): readonly GraphBreak[] {
  const defaults = findDangerousChanges(before, after).filter(({ type }) => type === 'ARG_DEFAULT_VALUE_CHANGE')
  const changes = [...findBreakingChanges(before, after), ...defaults].map(({ description }) => ({
    description,
    names: namesOf(description),
    isRemoval: / was removed\b/.test(description),
  }))
  return [...changes, ...inputDefaults(before, after)]
}

/** Defaults of members of inputs, which graphql-js does not compare: one that goes makes its member required. */
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

/** Whether an entry names what changed; what was removed must be named as removed. */
export const isGraphBreakAnnounced = ({ names, isRemoval }: GraphBreak, entries: readonly BreakingEntry[]): boolean =>
  names.some((name) => entries.some((entry) => (isRemoval ? entry.removed : entry.names).has(name)))
