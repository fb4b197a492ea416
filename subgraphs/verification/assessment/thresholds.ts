import { ConfigProblems } from '../../../foundation/config/config.ts'

/** Where the rules draw their lines. Error rates of the faces: two photographs of each of 400 people. */
export interface Thresholds {
  /** Euclidean; up to here one person: 84.3 % of them, and 0.012 % of pairs of two people */
  readonly faceSame: number
  /** beyond: another person. One of one person's pairs, another that shows two people, and 97.5 % of pairs of two people */
  readonly faceOther: number
  /** the same where one of the two faces is small or soft */
  readonly faceOtherPoor: number
  /** cosine by SFace, where it is installed: from here on one person, unless the distance is beyond `faceApart` */
  readonly likenessSame: number
  /** below: another person, if the distance is beyond `faceApart`, too */
  readonly likenessOther: number
  /** Euclidean; what stands for `faceSame` and `faceOther` beside SFace */
  readonly faceApart: number
  /** Euclidean; with DEDUPLICATION=on two selfies up to here may be one person's, where SFace is not installed */
  readonly duplicateDistance: number
  /** the same by SFace: cosine from here on */
  readonly duplicateLikeness: number
  /** how far a nose must move aside against eyes and mouth, in distances of the outer corners of the eyes, for a head to be turned */
  readonly headTurn: number
  /** the same upwards */
  readonly headUp: number
  /** likeness of the eyes to those of the first frame, 0 to 1; up to here they are closed */
  readonly eyesClosed: number
  /** how many times its size in the first frame a face must have to be closer */
  readonly faceCloser: number
  /** px; smaller faces are compared but never accepted */
  readonly faceWidth: number
  /** variance of the Laplacian on the selfie's chip: of 98 in 100 photographs of the press, 250 px wide, 13 and more; blurred by 3 % of the face's width at most 5 */
  readonly faceSharpness: number
  /** the same: softer faces are rejected by `faceOtherPoor`. Sharp photographs 254 and more, blurred by 2 px of 600 at most 60 */
  readonly faceSoft: number
  /** by colours within the face, as `FaceCovering` counts them: beyond, the eyes of a selfie are behind sunglasses */
  readonly eyesCovered: number
  /** the same: beyond, mouth and nose are behind a mask or scarf */
  readonly mouthCovered: number
  /** years since the date of birth; holders who are younger are children, whose faces people compare */
  readonly childYears: number
  /** years that the face of a selfie seems to have; less is a child's, whatever the date of birth */
  readonly childFace: number
  /** share of the picture's width: a face that takes more of it is no portrait on a document */
  readonly portraitShare: number
  /** mean grey of a face; photographs 96 to 191, at 30 % light 45 */
  readonly faceDark: number
  /** a face is dark only when its highlights are, too: dark skin in good light has whites of the eyes and shine above 110 */
  readonly faceHighlight: number
  readonly faceBright: number
  /** 0 to 1: names at least so alike are one name; a slip of the reader in twelve letters */
  readonly nameSame: number
  /** names less alike than this contradict each other; one between goes to review */
  readonly nameOther: number
  /** 0 to 1: a reading at least so sure may contradict a declaration */
  readonly textSure: number
  /** 0 to 1: printed text less sure than this does not count as read */
  readonly textReadable: number
  /** variance of the Laplacian where the page has ink; made pages: photographed badly 3,000 and more, blurred by 2 px 2,000, by 4 px 100 */
  readonly pageSharpness: number
  /** brightness of the paper, 0 to 1; made pages 0.87, at 30 % light 0.27 */
  readonly pageDark: number
  /** share of the page burnt out; made pages: none, with a reflection 0.03 */
  readonly pageGlare: number
  /** share of the page that is ink; less is a blank sheet or no document */
  readonly pageInk: number
  /** share of the picture that has a colour of its own; made pages 0.058 and more, in black and white at most 0.011 */
  readonly pageColour: number
  /** decades by which a fine pattern stands out; made documents at most 2.7, on a screen or printed in dots 2.9 and more */
  readonly pageRaster: number
  /** share of the picture's height or width that is bars of even black; no camera makes any */
  readonly pageBars: number
}

export const defaultThresholds: Thresholds = {
  faceSame: 0.48,
  faceOther: 0.62,
  faceOtherPoor: 0.75,
  likenessSame: 0.4,
  likenessOther: 0.25,
  faceApart: 0.62,
  duplicateDistance: 0.35,
  duplicateLikeness: 0.55,
  headTurn: 0.12,
  headUp: 0.08,
  eyesClosed: 0.8,
  faceCloser: 1.2,
  faceWidth: 60,
  faceSharpness: 10,
  faceSoft: 100,
  eyesCovered: 0.3,
  mouthCovered: 0.25,
  childYears: 13,
  childFace: 8,
  portraitShare: 0.35,
  faceDark: 60,
  faceHighlight: 110,
  faceBright: 220,
  nameSame: 0.92,
  nameOther: 0.6,
  textSure: 0.75,
  textReadable: 0.45,
  pageSharpness: 1000,
  pageDark: 0.35,
  pageGlare: 0.01,
  pageInk: 0.003,
  pageColour: 0.02,
  pageRaster: 2.85,
  pageBars: 0.1,
}

/** Lines that are shares; the others are pixels, levels of grey from 0 to 255 and variances, which have no upper end. */
const shares: ReadonlySet<string> = new Set([
  'likenessSame', 'likenessOther', 'duplicateLikeness', 'headTurn', 'headUp', 'eyesClosed', 'portraitShare', 'nameSame', 'nameOther', 'textSure', 'textReadable', 'pageDark', 'pageGlare', 'pageInk', 'pageColour', 'pageBars',
] satisfies (keyof Thresholds)[]) // biome-ignore format: a table

/** Pairs whose first line must not lie beyond the second: between the two a person decides. */
const ordered = [
  ['faceSame', 'faceOther'],
  ['faceOther', 'faceOtherPoor'],
  ['likenessOther', 'likenessSame'],
  ['faceDark', 'faceBright'],
  ['nameOther', 'nameSame'],
] as const satisfies readonly (readonly [keyof Thresholds, keyof Thresholds])[]

/**
 * The lines with those that an operator has drawn elsewhere.
 * @param given - VERIFICATION_THRESHOLDS: name and value   @throws {ConfigProblems} a sentence for each that is not known or cannot be
 */
export function thresholdsWith(given: Readonly<Record<string, number>>): Thresholds {
  const known: Readonly<Record<string, number>> = { ...defaultThresholds }
  const problems = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(known, name)) return [`VERIFICATION_THRESHOLDS: unknown threshold ${name}; use ${Object.keys(known).join(', ')}`]
    return shares.has(name) && value > 1 ? [`VERIFICATION_THRESHOLDS: ${name} must be between 0 and 1, not ${value}`] : []
  })
  const thresholds: Thresholds = { ...defaultThresholds, ...given }
  for (const [low, high] of ordered) {
    if (thresholds[low] > thresholds[high])
      problems.push(`VERIFICATION_THRESHOLDS: ${low} (${thresholds[low]}) must not be greater than ${high} (${thresholds[high]})`)
  }
  if (problems.length > 0) throw new ConfigProblems(problems)
  return thresholds
}
