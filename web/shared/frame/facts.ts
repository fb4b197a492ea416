/**
 * Reads the facts that the server embeds as JSON in the page's head (`facts` of `builtPage`).
 * @throws {Error} when there are none
 */
export function factsOf<Facts>(): Facts {
  const told = document.querySelector<HTMLMetaElement>('meta[name=facts]')
  if (told === null) throw new Error('The page was told no facts')
  return JSON.parse(told.content)
}
