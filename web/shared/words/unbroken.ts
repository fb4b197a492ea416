/** a space at which no line is broken */
export const unbroken = '\u00a0'

/** French puts a space before some marks, and none of them begins a line. */
export const withMarksKept = (text: string): string => text.replace(/ (?=[:;?!»])/g, unbroken).replaceAll('« ', `«${unbroken}`)
