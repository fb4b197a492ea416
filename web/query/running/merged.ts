type Members = Record<string | number, unknown>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

/**
 * Merges an incremental payload into the response so far.
 * @param whole - response so far
 * @param payload - new payload
 * @see https://github.com/graphql/graphql-spec/tree/48cf7263a71a683fab03d45d309fd42d8d9a6659 (deferSpec=20220824)
 */
export function merged(whole: Members, payload: Members): Members {
  const { incremental, hasNext: _, ...members } = payload
  const now: Members = { ...whole, ...members }
  for (const part of Array.isArray(incremental) ? incremental : []) {
    const path: readonly (string | number)[] = part.path ?? []
    if (isMembers(part.data)) mergeInto(placeOf(now, path), part.data)
    const [items, last] = [part.items, path.at(-1)]
    if (Array.isArray(items) && typeof last === 'number')
      Object.assign(placeOf(now, path.slice(0, -1)), Object.fromEntries(items.map((item, index) => [last + index, item])))
    if (part.errors !== undefined) now.errors = [...(Array.isArray(now.errors) ? now.errors : []), ...part.errors]
  }
  return now
}

/** @throws {Error} when the parent of a payload is missing */
function placeOf(answer: Members, path: readonly (string | number)[]): Members {
  const place = path.reduce<unknown>((here, step) => (isMembers(here) ? ownOf(here, step) : undefined), answer.data)
  if (!isMembers(place)) throw new Error(`A deferred part belongs to ${path.join('.')}, which the response does not contain`)
  return place
}

function mergeInto(place: Members, part: Members): void {
  for (const [name, value] of Object.entries(part)) {
    const present = ownOf(place, name)
    if (isMembers(present) && isMembers(value)) mergeInto(present, value)
    else Object.defineProperty(place, name, { value, configurable: true, enumerable: true, writable: true })
  }
}

/** Returns an own property only: a field may be named `__proto__`. */
const ownOf = (members: Members, name: string | number): unknown => (Object.hasOwn(members, name) ? members[name] : undefined)
