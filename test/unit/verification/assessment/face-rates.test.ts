import { describe, expect, it } from 'vitest'
import type { DetectedFace } from '../../../../engines/face-analyser/face-analyser.ts'
import { defaultThresholds } from '../../../../subgraphs/verification/checks/thresholds.ts'
import type { FacePair } from '../../../evaluate/faces/measure-pairs.ts'
import { rocOf, trueAcceptsAt, verdictsOf } from '../../../evaluate/faces/rates.ts'
import { rocPlot } from '../../../evaluate/faces/roc-plot.ts'

const face: DetectedFace = {
  box: { x: 0, y: 0, width: 100, height: 120 },
  score: 0.9,
  turn: 0,
  descriptor: new Float32Array(128),
  pose: { roll: 0, yaw: 0 },
  eyes: [],
  covering: { eyes: -0.2, mouth: -0.2 },
  apparentAge: 35,
  landmarks: [],
  sharpness: 300,
  brightness: 120,
  highlight: 200,
  shareDark: 0,
  shareBright: 0,
}
const pair = (distance: number, cosine: number): FacePair => ({ selfie: face, printed: face, likeness: { distance, cosine } })
const genuine = [pair(0.3, 0.7), pair(0.55, 0.5), pair(0.7, 0.2)]
const impostor = [pair(0.8, 0.1), pair(0.9, 0), pair(0.6, 0.3), pair(0.45, 0.1)]
const measured = { width: 90, genuine, impostor, missed: 1 }

describe('rates of faces', () => {
  it('count verdicts by one network or both, and cards without a face', () => {
    expect(verdictsOf(genuine, 'dlib', defaultThresholds, 1)).toEqual({
      same_person: 1,
      uncertain: 1,
      another_person: 1,
      without: 1,
      of: 4,
    })
    expect(verdictsOf(genuine, 'sface', defaultThresholds)).toEqual({ same_person: 2, uncertain: 0, another_person: 1, without: 0, of: 3 })
    expect(verdictsOf(impostor, 'sface', defaultThresholds).same_person).toBe(0)
  })

  it('report for each false match rate the true match rate', () => {
    expect(rocOf(measured, 'dlib')).toEqual([
      { falseAccepts: 0, trueAccepts: 1 / 3 },
      { falseAccepts: 0.25, trueAccepts: 2 / 3 },
      { falseAccepts: 0.5, trueAccepts: 1 },
    ])
    expect(trueAcceptsAt(rocOf(measured, 'sface'), 0)).toBe(2 / 3)
    expect(trueAcceptsAt(rocOf(measured, 'dlib'), 0.3)).toBe(2 / 3)
    expect(trueAcceptsAt([], 0.1)).toBe(0)
  })

  it('are drawn with a label for each curve', () => {
    const svg = rocPlot([{ name: 'both networks', colour: '#123456', points: rocOf(measured, 'sface') }])
    expect(svg).toMatch(/^<svg xmlns/)
    expect(svg).toContain('both networks')
    expect(svg).not.toContain('NaN')
  })
})
