import { describe, expect, it } from 'vitest'
import type { DocumentReader, DocumentText } from '../../../../engines/document-reader/document-reader.ts'
import type { AnalysedImage, DetectedFace, FaceAnalyser } from '../../../../engines/face-analyser/face-analyser.ts'
import { gatherEvidence } from '../../../../subgraphs/verification/assessment/gather-evidence.ts'
import { defaultThresholds } from '../../../../subgraphs/verification/checks/thresholds.ts'

/** Descriptors of persons: two persons are 1.41 apart, a print of a person 0.4 from the original. */
const persons = { holder: [1, 0, 0], stranger: [0, 1, 0], printOfHolder: [1, 0, 0.4] } as const

const face = (name: keyof typeof persons, width: number, score = 0.9): DetectedFace => ({
  box: { x: 0, y: 0, width, height: width },
  score,
  turn: 0,
  descriptor: Float32Array.from(persons[name]),
  eyes: [],
  covering: { eyes: -0.2, mouth: -0.2 },
  apparentAge: 35,
  landmarks: [],
  pose: { yaw: 0, roll: 0 },
  sharpness: 500,
  brightness: 130,
  highlight: 230,
  shareDark: 0,
  shareBright: 0,
})

const page: DocumentText = {
  width: 1600,
  height: 1000,
  rotation: 0,
  skew: 0,
  lines: [],
  confidence: 0,
  quality: { sharpness: 9000, brightness: 0.85, glare: 0, cutSides: 0, ink: 0.05 },
}
const nothing = async () => {}
const reader: DocumentReader = { name: 'reader', models: {}, start: nothing, stop: nothing, ready: nothing, readDocument: async () => page }

/** Returns the other persons on a document whose picture has these faces, in descending order of certainty. */
async function othersAmong(...faces: DetectedFace[]): Promise<number | undefined> {
  return othersBeyond(defaultThresholds.faceOther, ...faces)
}

async function othersBeyond(faceOther: number, ...faces: DetectedFace[]): Promise<number | undefined> {
  const image: AnalysedImage = { width: 1600, height: 1000, format: 'jpeg', faces }
  const analyser: FaceAnalyser = { versions: {}, comparisonModel: 'none', ready: nothing, analyse: async () => image }
  const bytes = new Uint8Array()
  const engines = { faces: analyser, reader, thresholds: { ...defaultThresholds, faceOther } }
  const { front } = await gatherEvidence(engines, { selfie: bytes, documentFront: bytes }, new AbortController().signal)
  return front.otherPersons
}

/** Returns the number of persons on a selfie with these faces, the largest first. */
async function countedOn(...faces: DetectedFace[]): Promise<number> {
  const image: AnalysedImage = { width: 1600, height: 1000, format: 'jpeg', faces }
  const analyser: FaceAnalyser = { versions: {}, comparisonModel: 'none', ready: nothing, analyse: async () => image }
  const bytes = new Uint8Array()
  const engines = { faces: analyser, reader, thresholds: defaultThresholds }
  const { selfie } = await gatherEvidence(engines, { selfie: bytes, documentFront: bytes }, new AbortController().signal)
  return selfie.faces.length
}

describe('persons on a selfie', () => {
  it('include a second person at a similar distance', async () => {
    expect(await countedOn(face('holder', 300), face('stranger', 290))).toBe(2)
    expect(await countedOn(face('holder', 300), face('stranger', 150))).toBe(2)
  })

  it('exclude people far behind, and uncertain faces', async () => {
    expect(await countedOn(face('holder', 300), face('stranger', 149), face('stranger', 40))).toBe(1)
    expect(await countedOn(face('holder', 300), face('stranger', 200, 0.6))).toBe(1)
  })

  it('do not exist on a picture without a face', async () => {
    expect(await countedOn()).toBe(0)
  })
})

describe('persons on the picture of a document', () => {
  it('include the portrait of a card beside a larger print of another face', async () => {
    expect(await othersAmong(face('holder', 420), face('stranger', 110))).toBe(1)
    expect(await othersAmong(face('holder', 110), face('stranger', 420))).toBe(1)
  })

  it('exclude the small second portrait of many documents', async () => {
    expect(await othersAmong(face('holder', 190), face('printOfHolder', 70))).toBe(0)
  })

  it('exclude crests and patterns, which are small or uncertain', async () => {
    expect(await othersAmong(face('holder', 190), face('stranger', 30), face('stranger', 110, 0.6))).toBe(0)
  })

  it('are separated by the configured threshold', async () => {
    expect(await othersBeyond(0.3, face('holder', 190), face('printOfHolder', 70))).toBe(1)
    expect(await othersBeyond(1.5, face('holder', 190), face('stranger', 110))).toBe(0)
  })
})
