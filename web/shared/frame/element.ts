/** An element that the page's HTML holds. @throws {Error} where it does not, or holds another kind there */
export function elementAt<Kind extends Element>(selector: string, kind: new () => Kind, within: ParentNode = document): Kind {
  const found = within.querySelector(selector)
  if (found instanceof kind) return found
  throw new Error(`The page has no ${kind.name} at ${selector}`)
}
