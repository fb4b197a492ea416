/** no-break space */
export const unbroken = '\u00a0'

/** Keeps French punctuation with its word: a no-break space precedes it. */
export const withMarksKept = (text: string): string => text.replace(/ (?=[:;?!»])/g, unbroken).replaceAll('« ', `«${unbroken}`)
