import { expect, it } from 'vitest'
import type { DetectedFace } from '../../../../engines/face-analyser/face-analyser.ts'
import { faceAreaOf } from '../../../../subgraphs/verification/assessment/face-area.ts'

const face = (x: number, width: number): DetectedFace => ({ box: { x, y: 100, width, height: 250 }, turn: 90 }) as DetectedFace

it('states the place of the first face as shares of the image, within it, and its turn', () => {
  expect(faceAreaOf({ width: 1000, height: 500, faces: [face(333.33333, 200), face(0, 900)] })).toEqual({
    ...{ x: 0.3333, y: 0.2, width: 0.2, height: 0.5, turn: 90 },
  })
  expect(faceAreaOf({ width: 1000, height: 500, faces: [face(-20, 2000)] })).toMatchObject({ x: 0, width: 1 })
  expect(faceAreaOf({ width: 1000, height: 500, faces: [] })).toBeUndefined()
})
