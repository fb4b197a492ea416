import { ConfigProblems } from '../../../foundation/config/config.ts'

/** Thresholds of the rules. Error rates of faces refer to two photographs of each of 400 persons. */
export interface Thresholds {
  /** Euclidean; up to here the same person: 84.3 % of equal pairs and 0.012 % of different pairs */
  readonly faceSame: number
  /** beyond: another person. One equal pair, a wrongly labelled one, and 97.5 % of different pairs */
  readonly faceOther: number
  /** the same when a face is small or soft */
  readonly faceOtherPoor: number
  /** cosine by SFace, if installed: from here on the same person, unless the distance is beyond `faceApart` */
  readonly likenessSame: number
  /** below: another person, if the distance is beyond `faceApart` as well */
  readonly likenessOther: number
  /** Euclidean; replaces `faceSame` and `faceOther` with SFace */
  readonly faceApart: number
  /** Euclidean; with DEDUPLICATION=on, selfies up to here may show the same person, without SFace */
  readonly duplicateDistance: number
  /** the same with SFace: cosine from here on */
  readonly duplicateLikeness: number
  /** sideways movement of the nose relative to eyes and mouth that counts as a turn, in distances of the outer eye corners */
  readonly headTurn: number
  /** the same upwards */
  readonly headUp: number
  /** similarity of the eyes to those of the first frame, 0 to 1; up to here they are closed */
  readonly eyesClosed: number
  /** growth factor of the face that counts as closer */
  readonly faceCloser: number
  /** px; smaller faces are compared but never accepted */
  readonly faceWidth: number
  /**
   * variance of the Laplacian on the selfie's crop: 98 % of press photographs 250 px wide have 13 and more; blurred by 3 % of the face's
   * width at most 5
   */
  readonly faceSharpness: number
  /** the same: softer faces are rejected by `faceOtherPoor`. Sharp photographs have 254 and more, blurred by 2 px of 600 at most 60 */
  readonly faceSoft: number
  /** by colours within the face, see `FaceCovering`: beyond, the eyes are behind sunglasses */
  readonly eyesCovered: number
  /** the same: beyond, mouth and nose are behind a mask or scarf */
  readonly mouthCovered: number
  /** age in years below which faces of the holder go to review */
  readonly childYears: number
  /** estimated age in years below which a face is a child's, regardless of the date of birth */
  readonly childFace: number
  /** share of the image's width: a larger face is not a portrait on a document */
  readonly portraitShare: number
  /** mean grey of a face; photographs have 96 to 191, at 30 % light 45 */
  readonly faceDark: number
  /** a face is dark only when its highlights are dark too: dark skin in good light has highlights above 110 */
  readonly faceHighlight: number
  readonly faceBright: number
  /** 0 to 1: minimum similarity of equal names; allows one misread letter in twelve */
  readonly nameSame: number
  /** maximum similarity of contradicting names; values between go to review */
  readonly nameOther: number
  /** 0 to 1: minimum confidence of a reading that contradicts a declaration */
  readonly textSure: number
  /** 0 to 1: minimum confidence of printed text */
  readonly textReadable: number
  /** variance of the Laplacian at printed areas; synthetic pages: poor photographs 3,000 and more, blurred by 2 px 2,000, by 4 px 100 */
  readonly pageSharpness: number
  /** brightness of the paper, 0 to 1; synthetic pages 0.87, at 30 % light 0.27 */
  readonly pageDark: number
  /** overexposed share of the page; synthetic pages 0, with a reflection 0.03 */
  readonly pageGlare: number
  /** printed share of the page; less is a blank sheet or not a document */
  readonly pageInk: number
  /** coloured share of the image; synthetic pages 0.058 and more, in black and white at most 0.011 */
  readonly pageColour: number
  /** prominence of a fine pattern in decades; synthetic documents at most 2.7, on a screen or in printed dots 2.9 and more */
  readonly pageRaster: number
  /** share of the image's height or width in uniform black bars, which cameras do not produce */
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

/** Thresholds that are shares; the others are pixels, grey levels from 0 to 255, and variances without an upper limit. */
const shares: ReadonlySet<string> = new Set([
  'likenessSame', 'likenessOther', 'duplicateLikeness', 'headTurn', 'headUp', 'eyesClosed', 'portraitShare', 'nameSame', 'nameOther', 'textSure', 'textReadable', 'pageDark', 'pageGlare', 'pageInk', 'pageColour', 'pageBars',
] satisfies (keyof Thresholds)[]) // biome-ignore format: a table

/** Pairs whose first threshold must not exceed the second: values between go to review. */
const ordered = [
  ['faceSame', 'faceOther'],
  ['faceOther', 'faceOtherPoor'],
  ['likenessOther', 'likenessSame'],
  ['faceDark', 'faceBright'],
  ['nameOther', 'nameSame'],
] as const satisfies readonly (readonly [keyof Thresholds, keyof Thresholds])[]

/**
 * Applies an operator's thresholds.
 * @param overrides - VERIFICATION_THRESHOLDS: name and value  @throws {ConfigProblems} one sentence per unknown or invalid threshold
 */
export function thresholdsWith(overrides: Readonly<Record<string, number>>): Thresholds {
  const defaults: Readonly<Record<string, number>> = { ...defaultThresholds }
  const problems = Object.entries(overrides).flatMap(([name, value]) => {
    if (!Object.hasOwn(defaults, name))
      return [`VERIFICATION_THRESHOLDS: unknown threshold ${name}; use ${Object.keys(defaults).join(', ')}`]
    return shares.has(name) && value > 1 ? [`VERIFICATION_THRESHOLDS: ${name} must be between 0 and 1, not ${value}`] : []
  })
  const thresholds: Thresholds = { ...defaultThresholds, ...overrides }
  for (const [low, high] of ordered) {
    if (thresholds[low] > thresholds[high])
      problems.push(`VERIFICATION_THRESHOLDS: ${low} (${thresholds[low]}) must not be greater than ${high} (${thresholds[high]})`)
  }
  if (problems.length > 0) throw new ConfigProblems(problems)
  return thresholds
}
