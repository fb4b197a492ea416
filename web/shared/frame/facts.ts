/**
 * Reads the facts that the server embeds as JSON in the page's head (`facts` of `builtPage`).
 * @throws {Error} when the element is missing
 */
export function factsOf<Facts>(): Facts {
  const element = document.querySelector<HTMLMetaElement>('meta[name=facts]')
  if (element === null) throw new Error('The page has no <meta name="facts"> element')
  return JSON.parse(element.content)
}
