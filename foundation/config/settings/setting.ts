import type { z } from 'zod'

/** One environment variable with its rule, default and description, all declared here only. */
export interface Setting<Value> {
  readonly name: string
  /** parses the text of the variable; its description states the syntax */
  readonly rule: z.ZodType<Value, string>
  /** default, in the syntax of the variable */
  readonly fallback?: string
  /** may also be read from the file that NAME_FILE names; never printed */
  readonly secret?: true
  readonly help: string
}

/** Declares an optional setting: undefined if unset, unless `parseConfig` derives a default from other settings. */
export function setting<Value>(name: string, rule: z.ZodType<Value, string>, help: string): Setting<Value | undefined>
/** Declares a setting with a default. */
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

/** Settings by their names in code, nested in groups. */
export interface SettingTree {
  readonly [member: string]: Setting<unknown> | SettingTree | OptionalSettings<SettingTree, string>
}

/** Settings of an optional engine: undefined as a whole unless all required ones are set. */
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

/** The parsed values, in the shape of the tree. */
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

/** Returns every setting of a tree in the order of declaration. */
export function settingsIn(tree: SettingTree): readonly Setting<unknown>[] {
  return Object.values(tree).flatMap((node) =>
    isSetting(node) ? [node] : settingsIn(node instanceof OptionalSettings ? node.members : node),
  )
}

/** Arranges values in the shape of the tree. @param read - returns the value of a setting, undefined if it is unset */
export function arranged<Tree extends SettingTree>(tree: Tree, read: (setting: Setting<unknown>) => unknown): ValuesOf<Tree> {
  const values = Object.entries(tree).map(([member, node]) => [member, valueAt(node, read)])
  // Object.entries loses the type of the tree
  return Object.fromEntries(values) as ValuesOf<Tree>
}

function valueAt(node: SettingTree[string], read: (setting: Setting<unknown>) => unknown): unknown {
  if (isSetting(node)) return read(node)
  if (!(node instanceof OptionalSettings)) return arranged(node, read)
  const values: Readonly<Record<string, unknown>> = arranged(node.members, read)
  return node.needed.some((member) => values[member] === undefined) ? undefined : values
}
