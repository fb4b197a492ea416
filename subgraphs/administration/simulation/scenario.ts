/** Which delegations a vote uses. */
export interface Question {
  /** the domain of the vote and its ancestors, most specific first; empty: only delegations that are valid in all domains apply */
  readonly domains: readonly string[]
  /** delegated action; delegations with the scope `all` apply as well */
  readonly scope: string
  readonly groups: readonly string[] | 'all'
  /** milliseconds since 1970; undefined: when the delegations were read */
  readonly atMs: number | undefined
}

export interface AssumedDelegation {
  readonly delegator: string
  readonly delegate: string
}

/** What a simulation assumes beside the stored delegations. */
export interface Scenario {
  /** number of citizens who may vote; at least those that the delegations name */
  readonly electorate?: number | undefined
  /** citizens who vote themselves although they have delegated their vote */
  readonly directVoters: readonly string[]
  /** each replaces whatever the delegator has delegated */
  readonly add: readonly AssumedDelegation[]
  /** delegations that do not apply: by id, all of a delegator, all to a delegate */
  readonly remove: { readonly ids: readonly string[]; readonly delegators: readonly string[]; readonly delegates: readonly string[] }
  /** most votes that one citizen may cast; the others are lost */
  readonly maxWeight?: number | undefined
  /** most steps from a citizen to the one who votes; votes that need more are lost */
  readonly maxChain?: number | undefined
}

export const unchanged: Scenario = { directVoters: [], add: [], remove: { ids: [], delegators: [], delegates: [] } }

/** Changes that a file can contain. */
export const changeKinds = ['add', 'remove_delegator', 'remove_delegate', 'remove_id', 'direct_voter'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** The changes of a file as columns: a thread receives these in a hundredth of the time of objects. */
export interface FileChanges {
  /** equal for equal files */
  readonly digest: string
  /** positions in `changeKinds` */
  readonly kinds: Uint8Array
  /** line of each change, from 1 */
  readonly lines: Int32Array
  /** code or id of each change, joined by `separator` */
  readonly codes: string
  /** the delegate of each change, empty unless it adds a delegation, joined by `separator` */
  readonly delegates: string
}

/** No text that can be stored contains it. */
export const separator = '\u0000'

/** A scenario with the changes of a file beside those of its lists. */
export interface FiledScenario extends Scenario {
  readonly file?: FileChanges | undefined
}

/** A change of a file. */
export interface FileChange {
  readonly kind: ChangeKind
  readonly line: number
  readonly code: string
  readonly delegate: string
}

/** Returns the changes of a file; none without one. */
export function changesIn(file: FileChanges | undefined): readonly FileChange[] {
  if (file === undefined) return []
  const { kinds, lines, codes, delegates } = file
  const [allCodes, allDelegates] = [codes.split(separator), delegates.split(separator)]
  return Array.from(kinds, (kind, at) => ({
    kind: changeKinds[kind] as ChangeKind,
    line: lines[at] as number,
    code: allCodes[at] as string,
    delegate: allDelegates[at] as string,
  }))
}

/** Returns a scenario whose lists end with the changes of its file. */
export function withFileInLists({ file, ...scenario }: FiledScenario, changes = changesIn(file)): Scenario {
  if (changes.length === 0) return scenario
  const { directVoters, add, remove } = scenario
  const merged = {
    add: [...add],
    direct_voter: [...directVoters],
    remove_id: [...remove.ids],
    remove_delegator: [...remove.delegators],
    remove_delegate: [...remove.delegates],
  }
  for (const { kind, code, delegate } of changes)
    if (kind === 'add') merged.add.push({ delegator: code, delegate })
    else merged[kind].push(code)
  return {
    ...scenario,
    directVoters: merged.direct_voter,
    add: merged.add,
    remove: { ids: merged.remove_id, delegators: merged.remove_delegator, delegates: merged.remove_delegate },
  }
}

/** Votes that are not cast, by cause. */
export interface LostVotes {
  /** the chain of delegations leads into a circle */
  readonly cycle: number
  /** the chain is longer than `maxChain` */
  readonly chain: number
  /** the voter already casts `maxWeight` votes */
  readonly weight: number
}

/** How unequally the cast votes are distributed among the voters. */
export interface Concentration {
  /** share of the cast votes that the heaviest voter casts, 0 to 1 */
  readonly largestShare: number
  /** Gini coefficient of the weights of all voters: 0 when all are equal */
  readonly gini: number
  /** the smallest number of voters who together cast more than half (Nakamoto coefficient) */
  readonly nakamoto: number
  /** the heaviest voters' share of the cast votes, by their share of all voters; both 0 to 1, ascending, at most 101 points */
  readonly curve: readonly { readonly voters: number; readonly votes: number }[]
}

/** The outcome of a scenario in numbers of citizens. */
export interface SimulationFigures {
  readonly electorate: number
  /** citizens who cast at least one vote */
  readonly voters: number
  /** citizens whose vote another citizen casts */
  readonly delegated: number
  readonly cast: number
  readonly lost: LostVotes
  /** citizens by the number of steps to the one who casts their vote; 0 for citizens who vote themselves */
  readonly chains: readonly { readonly steps: number; readonly citizens: number }[]
  readonly concentration: Concentration
}

/** A citizen who votes, with the votes of others. */
export interface VoterWeight {
  readonly code: string
  /** votes that the citizen casts, their own included */
  readonly weight: number
  /** the same today, without the scenario; 0 when the citizen does not vote today */
  readonly weightToday: number
  /** citizens who delegate to this one directly */
  readonly direct: number
  /** most steps from a citizen whose vote arrives here */
  readonly longestChain: number
}

export type WeightOrder = 'weight' | 'change'

/** One step of a chain of delegations. */
export interface PathStep {
  readonly code: string
  /** id of the delegation by which the vote leaves the citizen; null for an assumed one, and for the last step */
  readonly delegationId: string | null
  readonly isAssumed: boolean
}

/** Where a citizen's vote goes. */
export interface DelegationPath {
  readonly steps: readonly PathStep[]
  /** the number of steps of the whole path; the list ends after 1,000 */
  readonly length: number
  readonly outcome: 'cast' | 'cycle' | 'chain'
}

/** A citizen who delegates to another one in a scenario. */
export interface SimulatedDelegator {
  readonly code: string
  /** citizens whose vote passes through this one, their own included */
  readonly through: number
  /** citizens who delegate to this one directly */
  readonly direct: number
  readonly isAssumed: boolean
  /** whether the vote of this citizen is lost in a circle or beyond `maxChain` */
  readonly isLost: boolean
}

/** Citizens who delegate to each other in a circle. */
export interface DelegationCircle {
  /** in the order of the delegations, at most 100 */
  readonly codes: readonly string[]
  readonly length: number
  /** votes that arrive in the circle */
  readonly lost: number
}

/** A code or id of a scenario that the stored delegations do not name. */
export interface UnknownName {
  readonly member: readonly (string | number)[]
  readonly kind: 'citizen' | 'delegation'
}

/** A code or id of a scenario's file that the stored delegations do not name. */
export interface UnknownInFile {
  readonly line: number
  /** from 1 */
  readonly column: number
  readonly kind: UnknownName['kind']
}

/** The unknown names of a scenario; of its file only the first ones. */
export interface UnknownNames {
  readonly inLists: readonly UnknownName[]
  readonly inFile: readonly UnknownInFile[]
  /** number of all in the file */
  readonly inFileCount: number
}
