/** What the server told the page at the start, as JSON in its head (`facts` of `builtPage`). @throws {Error} where it told nothing */
export function factsOf<Facts>(): Facts {
  const told = document.querySelector<HTMLMetaElement>('meta[name=facts]')
  if (told === null) throw new Error('The page was told no facts')
  return JSON.parse(told.content)
}
