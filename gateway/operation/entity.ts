/** An object from a subgraph, with the response names of a query plan. */
export type Entity = { [name: string]: unknown }

export function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an own member: clients may use `constructor` or `__proto__` as response names. */
export function ownValue(object: Readonly<Entity>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Sets a member of any name. */
export function setOwn(object: Entity, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  else object[name] = value
}

/** Merges the fields of an object from another subgraph; lists of equal length by position. */
export function merge(into: Entity, from: Readonly<Entity>): void {
  for (const name of Object.keys(from)) {
    const added = from[name]
    if (added === undefined) continue
    const present = ownValue(into, name)
    if (isEntity(present) && isEntity(added)) merge(present, added)
    else if (Array.isArray(present) && Array.isArray(added) && present.length === added.length) mergeLists(present, added)
    else setOwn(into, name, added)
  }
}

function mergeLists(into: unknown[], from: readonly unknown[]): void {
  from.forEach((added, index) => {
    const present = into[index]
    if (isEntity(present) && isEntity(added)) merge(present, added)
    else if (Array.isArray(present) && Array.isArray(added) && present.length === added.length) mergeLists(present, added)
    else into[index] = added
  })
}
