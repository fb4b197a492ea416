import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../demonstration/drawing/seeded-random.ts'
import { vaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import { checkDuplicates, duplicateLine } from '../../../subgraphs/verification/checks/duplicate-search.ts'
import type { DuplicateEvidence } from '../../../subgraphs/verification/checks/evidence.ts'
import { defaultThresholds } from '../../../subgraphs/verification/checks/thresholds.ts'
import { FaceMatrix } from '../../../subgraphs/verification/duplicates/face-matrix.ts'
import { openTemplate, sealTemplate } from '../../../subgraphs/verification/duplicates/face-template.ts'
import { pairRates, searchRates } from '../../evaluate/faces/duplicate-rates.ts'
import { populationLike } from '../../evaluate/faces/face-population.ts'
import { madeFace } from '../../support/samples/faces/made-faces.ts'

describe('faces in memory', () => {
  it('are searched exactly, whatever their number', () => {
    const matrix = new FaceMatrix()
    const random = seededRandom(3)
    const faces = Array.from({ length: 3000 }, () => Float32Array.from({ length: 128 }, () => random.between(-0.1, 0.1)))
    for (const [id, face] of faces.entries()) matrix.add(id, face)
    const probe = faces[1234] ?? new Float32Array(128)
    const distances = faces.map((face, id) => ({
      id,
      distance: Math.sqrt(face.reduce((sum, value, at) => sum + (value - (probe[at] ?? 0)) ** 2, 0)),
    }))
    const near = distances.filter(({ distance }) => distance <= 0.8).sort((a, b) => a.distance - b.distance)
    const matches = matrix.search(probe, 0.8, 5)
    expect(matches.map(({ id }) => id)).toEqual(near.slice(0, 5).map(({ id }) => id))
    expect(matches[0]).toEqual({ id: 1234, distance: 0 })
  })

  it('keep their entries when others are removed', () => {
    const matrix = new FaceMatrix()
    for (const person of [0, 1, 2, 3, 4]) matrix.add(person, madeFace(person).vector)
    matrix.keep((id) => id % 2 === 0)
    expect(matrix.ids).toEqual([0, 2, 4])
    for (const person of [0, 2, 4]) expect(matrix.search(madeFace(person).vector, 0.1, 9)).toEqual([{ id: person, distance: 0 }])
    expect(matrix.search(madeFace(1).vector, 0.1, 9)).toEqual([])
    matrix.add(9, madeFace(9).vector)
    expect(matrix.search(madeFace(9).vector, 0.1, 9)).toEqual([{ id: 9, distance: 0 }])
  })

  it('accept only vectors of the length of a descriptor', () => {
    expect(() => new FaceMatrix().add(1, new Float32Array(3))).toThrow(TypeError)
  })
})

describe('a sealed face', () => {
  const holder = { owner: 'bank', citizenCode: 'A', model: 'dlib' }
  const key = vaultKeys(randomBytes(32))
  const { vector } = madeFace(4, 0.3)

  it('is decrypted with its key for its holder', () => {
    expect(openTemplate(key, 1, holder, sealTemplate(key, holder, vector))).toEqual(vector)
  })

  it.each([
    ['another key', vaultKeys(randomBytes(32)), holder],
    ['another citizen', key, { ...holder, citizenCode: 'B' }],
    ['another tenant', key, { ...holder, owner: 'post' }],
    ['another network', key, { ...holder, model: 'sface' }],
  ])('is not decrypted for %s, and the error names no holder', (_, by, whose) => {
    expect(() => openTemplate(by, 7, whose, sealTemplate(key, holder, vector))).toThrowError(
      expect.objectContaining({ code: 'INTERNAL', message: 'The face template 7 cannot be read' }),
    )
  })
})

describe('the check for duplicates', () => {
  const search: DuplicateEvidence = { model: 'dlib', hits: [{ id: 5, distance: 0.2 }], searched: 40, isWhole: true }

  it('requires a review when a face is near, and names no citizen', () => {
    const { check, findings } = checkDuplicates(search, defaultThresholds)
    expect(findings).toEqual([{ reason: 'possible_duplicate', rejecting: false }])
    expect(check).toMatchObject({ result: 'consider', properties: expect.arrayContaining([{ key: 'found', number: 1 }]) })
    expect(JSON.stringify(check)).not.toContain('"id"')
  })

  it('is clear when no face is near, and unidentified when the search did not cover all citizens', () => {
    expect(checkDuplicates({ ...search, hits: [] }, defaultThresholds)).toMatchObject({ check: { result: 'clear' }, findings: [] })
    expect(checkDuplicates({ ...search, hits: [], isWhole: false }, defaultThresholds).check?.result).toBe('unidentified')
    expect(checkDuplicates(undefined, defaultThresholds)).toEqual({ findings: [] })
  })

  it('applies the threshold of SFace to its cosine', () => {
    expect(duplicateLine('sface', { ...defaultThresholds, duplicateLikeness: 1 })).toBe(0)
    expect(duplicateLine('sface', { ...defaultThresholds, duplicateLikeness: 0.5 })).toBeCloseTo(1, 9)
  })
})

describe('a synthetic population', () => {
  const random = seededRandom(8)
  const people = Array.from({ length: 300 }, () => {
    const person = Array.from({ length: 6 }, (_, place) => random.between(-1, 1) * (place + 1))
    const photograph = () => Float32Array.from(person, (value) => value + random.between(-0.3, 0.3))
    return [photograph(), photograph()] as const
  })
  const spread = (values: readonly number[]): number => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)

  it('varies between people and between photographs like the measured faces', () => {
    const population = populationLike(people, false)
    const drawn = Array.from({ length: 2000 }, () => population.person(random))
    for (const place of [0, 5]) {
      expect(spread(drawn.map((person) => person[place] ?? 0))).toBeCloseTo(spread(people.map(([one]) => one[place] ?? 0)), 0)
      const apart = drawn.map((person) => (population.photograph(person, random)[place] ?? 0) - (person[place] ?? 0))
      expect(spread(apart)).toBeCloseTo(0.17, 1)
    }
  })

  it('yields true and false match rates by distance', () => {
    const [rates] = pairRates(
      [
        [madeFace(1).vector, madeFace(1, 0.1).vector],
        [madeFace(9).vector, madeFace(9, 0.1).vector],
      ],
      [0.2],
    )
    expect(rates).toEqual({ line: 0.2, onePerson: 1, twoPeople: 0, pairsOfTwo: 4 })
  })

  it('is searched for people in it and people outside it', () => {
    const faces = Array.from({ length: 200 }, (_, person) => [madeFace(person).vector, madeFace(person, 0.02).vector] as const)
    const [few, many] = searchRates(faces, true, [0.4], [100, 200], 50)
    for (const rates of [few, many]) expect(rates?.detected).toBeGreaterThan(0.9)
    expect(many?.wrong).toBeGreaterThanOrEqual(0)
  })
})
