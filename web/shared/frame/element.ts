/** Returns an element of the page's HTML. @throws {Error} when it is missing or of another type */
export function elementAt<Kind extends Element>(selector: string, kind: new () => Kind, within: ParentNode = document): Kind {
  const found = within.querySelector(selector)
  if (found instanceof kind) return found
  throw new Error(`The page has no ${kind.name} at ${selector}`)
}
