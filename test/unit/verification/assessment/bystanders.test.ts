import { expect, it } from 'vitest'
import type { DetectedFace } from '../../../../engines/face-analyser/face-analyser.ts'
import { withoutBystanders } from '../../../../subgraphs/verification/assessment/gather-evidence.ts'

const face = (width: number, score: number) => ({ box: { x: 0, y: 0, width, height: 1.2 * width }, score }) as DetectedFace
const selfie = face(300, 0.95)

it.each([
  ['one equally near, detected with certainty', face(290, 0.95), true],
  ['one equally near, detected without certainty', face(260, 0.69), true],
  ['one half as near, detected with certainty', face(160, 0.9), true],
  ['one half as near, detected without certainty', face(160, 0.69), false],
  ['one far behind', face(100, 0.95), false],
])('beside the largest face of a selfie, %s: counts as another person: %3$s', (_, other, counts) => {
  expect(withoutBystanders([selfie, other])).toEqual(counts ? [selfie, other] : [selfie])
})

it('a picture without a face has no bystanders', () => expect(withoutBystanders([])).toEqual([]))
