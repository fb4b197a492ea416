import { type ComponentName, componentNames } from '../../foundation/process/build-info.ts'

/** The roles of a process. `all` is every role. */
export interface Roles {
  readonly all: boolean
  readonly gateway: boolean
  readonly subgraphs: readonly ComponentName[]
  readonly workers: readonly ComponentName[]
  readonly rest: readonly ComponentName[]
}

/** Components with background work. */
const componentsWithWorker: readonly ComponentName[] = ['verification', 'exploration', 'classification']

export const roleNames: readonly string[] = [
  'gateway',
  ...componentNames.map((name) => `subgraph:${name}`),
  ...componentsWithWorker.map((name) => `worker:${name}`),
  ...componentNames.map((name) => `rest:${name}`),
]

/**
 * Parses roles: `all`, or any of gateway, subgraph:<component>, worker:<component>, rest:<component>. @returns the roles, or one sentence per invalid
 * word
 */
export function parseRoles(words: readonly string[]): Roles | { readonly problems: readonly string[] } {
  const problems = words
    .filter((word) => word !== 'all' && !roleNames.includes(word))
    .map(
      (word) =>
        (word.startsWith('-') ? `Unknown flag: ${word}.` : `Unknown role: ${word}.`) +
        ` Roles are all, ${roleNames.join(', ')}; see "npm start -- help".`,
    )
  if (problems.length > 0) return { problems }
  const all = words.length === 0 || words.includes('all')
  const named = new Set(all ? roleNames : words)
  const componentsOf = (kind: string): readonly ComponentName[] => componentNames.filter((name) => named.has(`${kind}:${name}`))
  return {
    all,
    gateway: named.has('gateway'),
    subgraphs: componentsOf('subgraph'),
    workers: componentsOf('worker'),
    rest: componentsOf('rest'),
  }
}

/** Returns the words that name these roles. */
export function namesOf({ gateway, subgraphs, workers, rest }: Roles): readonly string[] {
  return [
    ...(gateway ? ['gateway'] : []),
    ...subgraphs.map((name) => `subgraph:${name}`),
    ...workers.map((name) => `worker:${name}`),
    ...rest.map((name) => `rest:${name}`),
  ]
}

/** Returns short names for graphs: `rest:content,exploration` for some of a kind, `rest:*` for all of it, `all` for all roles. */
export function shortNamesOf(roles: Roles): string {
  if (roles.all) return 'all'
  const { gateway, subgraphs, workers, rest } = roles
  const kinds = [
    ['subgraph', subgraphs, componentNames],
    ['worker', workers, componentsWithWorker],
    ['rest', rest, componentNames],
  ] as const
  const present = kinds.filter(([, names]) => names.length > 0)
  return [
    ...(gateway ? ['gateway'] : []),
    ...present.map(([kind, names, every]) => `${kind}:${names.length === every.length ? '*' : names.join()}`),
  ].join(' ')
}
