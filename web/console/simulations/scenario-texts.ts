/** The question and the assumptions of a simulation, as typed. */
export interface ScenarioTexts {
  /** id of a domain; empty: all domains */
  readonly domain: string
  readonly scope: string
  /** empty: all groups that the user may read */
  readonly group: string
  /** `YYYY-MM-DD`; empty: now */
  readonly day: string
  /** codes of citizens whose delegations from others are ignored, one per line */
  readonly endTo: string
  readonly endFrom: string
  readonly direct: string
  /** two codes on each line */
  readonly add: string
  /** ids of delegations that are ignored, one per line */
  readonly ids: string
  /** CSV with further changes */
  readonly file: string
  /** empty: no file */
  readonly fileName: string
  readonly electorate: string
  readonly maxWeight: string
  readonly maxChain: string
}

export type ScenarioField = keyof ScenarioTexts

export const unchangedTexts: ScenarioTexts = {
  domain: '',
  scope: 'vote',
  group: '',
  day: '',
  endTo: '',
  endFrom: '',
  direct: '',
  add: '',
  ids: '',
  file: '',
  fileName: '',
  electorate: '',
  maxWeight: '',
  maxChain: '',
}

/** The variables of the simulation documents. */
export interface ScenarioVariables {
  readonly domainId?: string
  readonly scope: string
  readonly groupId?: string
  readonly at?: string
  readonly electorate?: number
  readonly directVoters?: string[]
  readonly add?: { readonly delegator: string; readonly delegate: string }[]
  readonly remove?: { readonly ids: string[]; readonly delegators: string[]; readonly delegates: string[] }
  readonly changes?: string
  readonly maxWeight?: number
  readonly maxChain?: number
}

/** A field that cannot be read. */
export interface TextProblem {
  readonly field: ScenarioField
  readonly code: 'pair' | 'number' | 'same'
  /** of a list, from 1 */
  readonly line?: number
}

/** A typed line with its number, from 1. */
export interface TypedLine {
  readonly line: number
  readonly text: string
}

/** Returns the lines that are not blank. */
export const linesOf = (text: string): readonly TypedLine[] =>
  text
    .split('\n')
    .map((each, index) => ({ line: index + 1, text: each.trim() }))
    .filter(({ text: each }) => each !== '')

/** Returns the number of lines of a file that are neither blank nor its header. */
export const countChanges = (file: string): number => Math.max(0, (file.match(/^.*[^\s,"].*$/gm)?.length ?? 0) - 1)

/** Splits a message about a file with these lines: the place, what is there, and the sentence. */
export function placeInFile(
  message: string,
  lines: readonly string[],
): { readonly line: number; readonly column: number; readonly text: string; readonly sentence: string } | undefined {
  const [, line, column, sentence] = /^Line (\d+), column (\d+): (.*)$/s.exec(message) ?? []
  if (sentence === undefined) return undefined
  const fields = lines[Number(line) - 1]?.split(',')
  const text = fields?.[Number(column) - 1]?.replaceAll('"', '').trim() ?? ''
  return { line: Number(line), column: Number(column), text, sentence }
}

const codesOf = (text: string): string[] => linesOf(text).map((each) => each.text)

/** Splits a line into the codes of a delegator and a delegate. */
export function pairIn(text: string): { readonly delegator: string; readonly delegate: string } | undefined {
  const [delegator = '', delegate = '', ...others] = text.split(/[,;\t،]|->|→|←/u).map((part) => part.trim())
  return others.length > 0 || delegator === '' || delegate === '' ? undefined : { delegator, delegate }
}

/** A saved scenario, as GraphQL returns it. */
export interface SavedInputs {
  readonly scope: string
  readonly at: string | null
  readonly electorate: number | null
  readonly maxWeight: number | null
  readonly maxChain: number | null
  readonly group: { readonly id: string } | null
  readonly domain: { readonly id: string } | null
  readonly directVoters: readonly Citizen[]
  readonly add: readonly { readonly delegator: Citizen; readonly delegate: Citizen }[]
  readonly removedIds: readonly string[]
  readonly removedDelegators: readonly Citizen[]
  readonly removedDelegates: readonly Citizen[]
}

interface Citizen {
  readonly code: string
}

/** Returns a saved scenario as it would be typed. */
export function textsOf(saved: SavedInputs): ScenarioTexts {
  const codes = (citizens: readonly Citizen[]): string => citizens.map(({ code }) => code).join('\n')
  const number = (value: number | null): string => (value === null ? '' : String(value))
  return {
    domain: saved.domain?.id ?? '',
    scope: saved.scope,
    group: saved.group?.id ?? '',
    day: saved.at === null ? '' : dayOf(new Date(saved.at)),
    endTo: codes(saved.removedDelegates),
    endFrom: codes(saved.removedDelegators),
    direct: codes(saved.directVoters),
    add: saved.add.map(({ delegator, delegate }) => `${delegator.code}, ${delegate.code}`).join('\n'),
    ids: saved.removedIds.join('\n'),
    // saved with the others
    file: '',
    fileName: '',
    electorate: number(saved.electorate),
    maxWeight: number(saved.maxWeight),
    maxChain: number(saved.maxChain),
  }
}

/** Returns the day of the user's time zone. */
const dayOf = (moment: Date): string =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** Reads a scenario. Returns the variables of the simulation, or the fields that cannot be read. */
export function readScenario(
  texts: ScenarioTexts,
): { readonly variables: ScenarioVariables } | { readonly problems: readonly TextProblem[] } {
  const pairs = linesOf(texts.add).map(({ line, text }) => ({ line, pair: pairIn(text) }))
  const numberOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text))
  const isValid = (field: 'electorate' | 'maxWeight' | 'maxChain', min: number): boolean => {
    const value = numberOf(texts[field])
    return value === undefined || (Number.isSafeInteger(value) && value >= min && value <= 2_147_483_647)
  }
  const problems: readonly TextProblem[] = [
    ...pairs.flatMap(({ line, pair }): readonly TextProblem[] => {
      if (pair === undefined) return [{ field: 'add', code: 'pair', line }]
      return pair.delegator === pair.delegate ? [{ field: 'add', code: 'same', line }] : []
    }),
    ...(['electorate', 'maxWeight'] as const).flatMap((field): readonly TextProblem[] =>
      isValid(field, 1) ? [] : [{ field, code: 'number' }],
    ),
    ...(isValid('maxChain', 0) ? [] : [{ field: 'maxChain', code: 'number' } as const]),
  ]
  if (problems.length > 0) return { problems }
  const [electorate, maxWeight, maxChain] = [texts.electorate, texts.maxWeight, texts.maxChain].map(numberOf)
  const lists = {
    directVoters: codesOf(texts.direct),
    delegators: codesOf(texts.endFrom),
    delegates: codesOf(texts.endTo),
    ids: codesOf(texts.ids),
  }
  const add = pairs.flatMap(({ pair }) => pair ?? [])
  return {
    variables: {
      scope: texts.scope.trim() === '' ? 'all' : texts.scope.trim(),
      ...(texts.domain !== '' && { domainId: texts.domain }),
      ...(texts.group.trim() !== '' && { groupId: texts.group.trim() }),
      ...(texts.day !== '' && { at: new Date(`${texts.day}T12:00`).toISOString() }),
      ...(lists.directVoters.length > 0 && { directVoters: lists.directVoters }),
      ...(add.length > 0 && { add }),
      ...(lists.delegators.length + lists.delegates.length + lists.ids.length > 0 && {
        remove: { ids: lists.ids, delegators: lists.delegators, delegates: lists.delegates },
      }),
      ...(texts.fileName !== '' && { changes: texts.file }),
      ...(electorate !== undefined && { electorate }),
      ...(maxWeight !== undefined && { maxWeight }),
      ...(maxChain !== undefined && { maxChain }),
    },
  }
}

const fieldsByMember: Readonly<Record<string, ScenarioField>> = {
  domainId: 'domain',
  groupId: 'group',
  at: 'day',
  directVoters: 'direct',
  'remove.delegators': 'endFrom',
  'remove.delegates': 'endTo',
  'remove.ids': 'ids',
  changes: 'file',
}

/** Returns the field, and the line of a list, that a path of a refusal names. */
export function fieldAt(
  path: readonly (string | number)[],
  texts: ScenarioTexts,
): { readonly field: ScenarioField; readonly typed?: TypedLine | undefined } | undefined {
  const [member = '', second, third] = path
  const name = member === 'remove' ? `remove.${second}` : String(member)
  const field = fieldsByMember[name] ?? (name in texts ? (name as ScenarioField) : undefined)
  if (field === undefined) return undefined
  const index = member === 'remove' ? third : second
  return { field, typed: typeof index === 'number' ? linesOf(texts[field])[index] : undefined }
}
