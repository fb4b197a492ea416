import { describe, expect, it } from 'vitest'
import { layoutOf } from '../../../../subgraphs/verification/document/document-layout.ts'

const now = Date.UTC(2026, 8, 1)

describe('the required parts of a document', () => {
  it.each([
    ['passport', 'SN', ['front'], 'none', 'part 4'],
    ['residence', 'FR', ['front', 'back'], 'needed', 'parts? 5'],
    ['identity', 'France', ['front', 'back'], 'needed', '55-1397'],
    ['identity', 'DE', ['front', 'back'], 'needed', '2025/1208'],
    ['identity', 'CHE', ['back'], 'needed', 'SR 143.1'],
    ['identity', 'IE', ['back'], 'needed', 'passport card'],
    ['identity', 'Serbia', ['back'], 'needed', '62/2006'],
    ['identity', 'MA', ['back', 'none'], 'needed', '04-20'],
    ['identity', 'US', ['none'], 'needed', 'AAMVA'],
    ['identity', 'SN', ['front', 'back', 'none'], 'needed', '9303'],
    ['identity', 'Atlantis', ['front', 'back', 'none'], 'needed', '9303'],
  ] as const)('as %s of %s include this zone, with their source', (family, country, zone, back, source) => {
    expect(layoutOf(family, country, now)).toMatchObject({ zone, back, source: expect.stringMatching(source) })
  })

  it('change on the day that a law names', () => {
    const before = layoutOf('identity', 'IT', Date.UTC(2026, 7, 3))
    expect(before.zone).toContain('none')
    expect(layoutOf('identity', 'IT', Date.UTC(2026, 7, 4)).zone).not.toContain('none')
  })
})
