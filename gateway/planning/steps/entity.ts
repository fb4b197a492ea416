/** An object as a subgraph gave it, under the response names of a query plan. */
export type Entity = { [name: string]: unknown }

export function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that the object itself has: clients may call a field `constructor` or `__proto__`. */
export function ownValue(object: Readonly<Entity>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Sets a member of that name, whatever the name. */
export function setOwn(object: Entity, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  else object[name] = value
}

/** Adds what another subgraph knows of the same object. Members that both have are merged, lists of equal length by position. */
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
