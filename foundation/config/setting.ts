import type { z } from 'zod'

/** One variable of the environment: its rule, its default, and what it is for. It is said here and nowhere else. */
export interface Setting<Value> {
  readonly name: string
  /** from the text of the variable; its description is what may be written */
  readonly rule: z.ZodType<Value, string>
  /** what stands for a variable that is not set, as it would be written */
  readonly fallback?: string
  /** also read from the file that NAME_FILE names, and never printed */
  readonly secret?: true
  readonly help: string
}

/** A setting that may be left out: then its value is undefined, or what `parseConfig` works out from the others. */
export function setting<Value>(name: string, rule: z.ZodType<Value, string>, help: string): Setting<Value | undefined>
/** A setting with a default. */
export function setting<Value>(name: string, rule: z.ZodType<Value, string>, fallback: string, help: string): Setting<Value>
export function setting<Value>(name: string, rule: z.ZodType<Value, string>, ...words: readonly string[]): Setting<Value | undefined> {
  const [help = '', fallback] = words.toReversed()
  return fallback === undefined ? { name, rule, help } : { name, rule, fallback, help }
}

export const secret = <Value>(name: string, rule: z.ZodType<Value, string>, help: string): Setting<Value | undefined> => ({
  name,
  rule,
  secret: true,
  help,
})

/** Settings by what they are called in the code, in groups as deep as they need be. */
export interface SettingTree {
  readonly [member: string]: Setting<unknown> | SettingTree | OptionalSettings<SettingTree, string>
}

/** Settings of something that a platform has or has not: undefined as a whole unless all those that it needs are set. */
export class OptionalSettings<Members extends SettingTree, Needed extends string> {
  readonly needed: readonly Needed[]
  readonly members: Members
  constructor(needed: readonly Needed[], members: Members) {
    this.needed = needed
    this.members = members
  }
}

export const settingsWith = <Members extends SettingTree, Needed extends keyof Members & string>(
  needed: readonly Needed[],
  members: Members,
): OptionalSettings<Members, Needed> => new OptionalSettings(needed, members)

/** What comes out of the rules, in the shape of the tree. */
export type ValuesOf<Node> =
  Node extends Setting<infer Value>
    ? Value
    : Node extends OptionalSettings<infer Members, infer Needed>
      ?
          | {
              readonly [Member in keyof Members]: Member extends Needed ? NonNullable<ValuesOf<Members[Member]>> : ValuesOf<Members[Member]>
            }
          | undefined
      : { readonly [Member in keyof Node]: ValuesOf<Node[Member]> }

const isSetting = (node: SettingTree[string]): node is Setting<unknown> => 'rule' in node

/** Every setting of a tree, in the order in which they are declared. */
export function settingsIn(tree: SettingTree): readonly Setting<unknown>[] {
  return Object.values(tree).flatMap((node) =>
    isSetting(node) ? [node] : settingsIn(node instanceof OptionalSettings ? node.members : node),
  )
}

/** Puts values into the shape of the tree. @param read - the value of a setting, undefined when it has none */
export function arranged<Tree extends SettingTree>(tree: Tree, read: (setting: Setting<unknown>) => unknown): ValuesOf<Tree> {
  const values = Object.entries(tree).map(([member, node]) => [member, valueAt(node, read)])
  // the rules made the values; the type follows the tree, which Object.entries forgets
  return Object.fromEntries(values) as ValuesOf<Tree>
}

function valueAt(node: SettingTree[string], read: (setting: Setting<unknown>) => unknown): unknown {
  if (isSetting(node)) return read(node)
  if (!(node instanceof OptionalSettings)) return arranged(node, read)
  const values: Readonly<Record<string, unknown>> = arranged(node.members, read)
  return node.needed.some((member) => values[member] === undefined) ? undefined : values
}
