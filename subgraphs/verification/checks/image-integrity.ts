import type { DocumentText, PageQuality } from '../../../engines/document-reader/document-reader.ts'
import type { DocumentFacts } from '../document/document-facts.ts'
import { latinLine } from '../document/transliteration.ts'
import { type Check, type CheckResult, checkOf, combined, type NamedCheck, named } from './check.ts'
import { declaredLayout, hasMrz, type KindComparison } from './document-kind.ts'
import type { Evidence, FaceEvidence, ImageEvidence } from './evidence.ts'
import { hiddenBy } from './hidden-face.ts'
import { type Finding, type Reason, review } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'

export interface ImageIntegrity {
  imageQuality: Check
  supportedDocument: Check
  faceDetected: Check
}

/** Checks the usability of the images. */
export function checkImages(
  evidence: Evidence,
  facts: DocumentFacts,
  kind: KindComparison,
  thresholds: Thresholds,
): { checks: ImageIntegrity; findings: readonly Finding[] } {
  const quality = imageQuality(evidence, thresholds)
  const supported = supportedDocument(evidence, facts, kind, thresholds)
  const faces = facesFound(evidence)
  return {
    checks: { imageQuality: quality.check, supportedDocument: supported.check, faceDetected: faces.check },
    // without a document, other findings are redundant
    findings: [...quality.findings, ...supported.findings, ...faces.findings],
  }
}

function imageQuality(evidence: Evidence, thresholds: Thresholds): { check: Check; findings: Finding[] } {
  const findings: Finding[] = []
  const parts: NamedCheck[] = []
  const note = (name: string, reasons: readonly Reason[], facts: Readonly<Record<string, number | string>>): void => {
    findings.push(...reasons.map(review))
    parts.push(named(name, reasons.length > 0 ? 'consider' : 'clear', { ...facts, problems: reasons.join(' ') || undefined }))
  }
  const [face] = evidence.selfie.faces
  if (face !== undefined)
    note('selfie', faceProblems(face, thresholds), { face_width: face.width, sharpness: face.sharpness, brightness: face.brightness })
  for (const [name, text] of [
    ['document_front', evidence.frontText],
    ['document_back', evidence.backText],
  ] as const) {
    if (text === undefined) continue
    const copied = name === 'document_front' && isCopy(text, thresholds)
    const problems = [...pageProblems(text.quality, thresholds), ...(copied ? (['copy_of_document'] as const) : [])]
    note(name, [...new Set([...problems, ...shownBy(text, thresholds)])], measures(text))
  }
  return { check: parts.length === 0 ? checkOf('unidentified') : combined(parts), findings }
}

/**
 * Returns whether the image is a copy: black and white and sufficiently lit. Documents have a coloured background, and most a coloured
 * portrait.
 */
const isCopy = ({ colour, quality }: DocumentText, { pageColour, pageDark, pageInk }: Thresholds): boolean =>
  colour !== undefined && colour < pageColour && quality.ink >= pageInk && quality.brightness >= pageDark

/** degrees: screens have rows of pixels, printers diagonal dots, so that they differ less */
const aslant = 35

/** Detects a document on a screen or in print. A hint only: many screens are too fine and many copies too good to be detected. */
function shownBy({ raster, blackBars = 0 }: DocumentText, { pageRaster, pageBars }: Thresholds): readonly Reason[] {
  const isRaster = raster !== undefined && raster.strength > pageRaster
  if (isRaster && raster.angle > aslant) return ['copy_of_document']
  return isRaster || blackBars > pageBars ? ['shown_on_screen'] : []
}

const measures = ({
  quality,
  rotation,
  skew,
  colour,
  foreshortening,
  raster,
  blackBars,
  reader,
}: DocumentText): Readonly<Record<string, number | string>> => ({
  sharpness: quality.sharpness,
  brightness: quality.brightness,
  glare: quality.glare,
  cut_sides: quality.cutSides,
  rotation,
  skew,
  ...(colour !== undefined && { colour }),
  ...(foreshortening !== undefined && { foreshortening }),
  ...(raster && { raster: raster.strength, raster_angle: raster.angle }),
  ...(blackBars !== undefined && { black_bars: blackBars }),
  ...(reader !== undefined && { reader }),
})

/** Returns the quality problems of a selfie. */
export function faceProblems(face: FaceEvidence, thresholds: Thresholds): Reason[] {
  const problems: Reason[] = []
  // a face of few pixels has no more detail than a blurred one
  if (face.sharpness < thresholds.faceSharpness || face.width < thresholds.faceWidth) problems.push('blurred_photo')
  if (face.brightness < thresholds.faceDark && face.highlight < thresholds.faceHighlight) problems.push('dark_photo')
  if (face.brightness > thresholds.faceBright) problems.push('glare_on_photo')
  return [...problems, ...hiddenBy(face, thresholds)]
}

export function pageProblems(page: PageQuality, thresholds: Thresholds): Reason[] {
  if (page.ink < thresholds.pageInk) return []
  const problems: Reason[] = []
  if (page.sharpness < thresholds.pageSharpness) problems.push('blurred_photo')
  if (page.brightness < thresholds.pageDark) problems.push('dark_photo')
  if (page.glare > thresholds.pageGlare) problems.push('glare_on_photo')
  if (page.cutSides > 0) problems.push('cut_off_document')
  return problems
}

function supportedDocument(
  evidence: Evidence,
  { mrz, visual, readable }: DocumentFacts,
  kind: KindComparison,
  thresholds: Thresholds,
): { check: Check; findings: Finding[] } {
  const { hasBack = false, front, frontText, backText } = evidence
  const findings: Finding[] = []
  if (declaredLayout(evidence).back === 'needed' && (!hasBack || sameSide(frontText, backText))) findings.push(review('missing_back'))
  if (frontText === undefined) return { check: checkOf('unidentified'), findings: [...findings, review('ocr_unreadable')] }
  if (isNoDocument(frontText, front, frontText.mrz !== undefined, thresholds)) {
    return { check: checkOf('consider', { note: 'no document in the image' }), findings: [...findings, review('no_document_in_image')] }
  }
  // the back does not make up for an unreadable front
  if (!readable || (frontText.mrz === undefined && wordsOf(frontText).size < fewWords))
    return { check: checkOf('unidentified'), findings: [...findings, review('ocr_unreadable')] }
  if ((front.otherPersons ?? 0) > 0)
    return { check: checkOf('consider', { note: 'several persons in the image' }), findings: [...findings, review('two_documents')] }
  const titled = kind.documentType.result !== 'unidentified'
  // many cards have a photograph and labels: without a machine-readable zone, a document must show its kind and country
  if (mrz !== undefined || (titled && kind.issuingCountry.result !== 'unidentified'))
    return { check: checkOf('clear', { format: mrz?.content.format ?? 'printed' }), findings }
  const fields = [visual.surname, visual.givenNames, visual.birth].filter((field) => field !== undefined).length
  // an unreadable machine-readable zone is already a finding
  if (hasMrz(evidence) && (titled || fields >= 2)) return { check: checkOf('unidentified'), findings }
  if (visual.confidence < thresholds.textReadable || (hasBack && backText === undefined))
    return { check: checkOf('unidentified'), findings: [...findings, review('ocr_unreadable')] }
  return { check: checkOf('consider'), findings: [...findings, review('unsupported_document')] }
}

/** minimum of words on a document */
const fewWords = 3
/** share of common words for two pictures of the same side; two sides of a document share hardly any */
const oneSide = 0.7

const wordsOf = (text: DocumentText | undefined): ReadonlySet<string> =>
  new Set((text?.lines ?? []).flatMap((line) => latinLine(line.text).split(' ')).filter((word) => word.length > 2))

/** Returns whether an image shows no document: a blank sheet, or hardly any words and no face or a large one. */
function isNoDocument(text: DocumentText, { faces: [face], width }: ImageEvidence, mrzHere: boolean, thresholds: Thresholds): boolean {
  const portrait = face !== undefined && face.width <= width * thresholds.portraitShare
  if (portrait || mrzHere) return false
  return text.quality.ink < thresholds.pageInk || wordsOf(text).size < fewWords
}

/** Returns whether the front was submitted as the back as well. */
function sameSide(front: DocumentText | undefined, back: DocumentText | undefined): boolean {
  const [a, b] = [wordsOf(front), wordsOf(back)]
  if (a.size < 2 * fewWords || b.size < 2 * fewWords) return false
  return [...a].filter((word) => b.has(word)).length >= oneSide * Math.min(a.size, b.size)
}

/**
 * Returns whether the sides are swapped: the portrait is on the submitted back, or the front has a TD1 zone, which is on the back (ICAO Doc
 * 9303 part 5, 3.1), and no portrait.
 */
const isWrongSide = ({ front, back, frontText }: Evidence): boolean =>
  front.faces.length === 0 && ((back?.faces.length ?? 0) > 0 || frontText?.mrz?.format === 'TD1')

function facesFound(evidence: Evidence): { check: Check; findings: Finding[] } {
  const { selfie, front } = evidence
  const findings: Finding[] = []
  const result = (isPresent: boolean): CheckResult => (isPresent ? 'clear' : 'consider')
  if (selfie.faces.length === 0) findings.push(review('no_face_selfie'))
  if (selfie.faces.length > 1) findings.push(review('multiple_faces_selfie'))
  if (front.faces.length === 0) findings.push(review(isWrongSide(evidence) ? 'wrong_side' : 'no_face_document'))
  return {
    check: combined([
      named('selfie', result(selfie.faces.length === 1), { faces: selfie.faces.length }),
      named('document', result(front.faces.length > 0), { faces: front.faces.length }),
    ]),
    findings,
  }
}
