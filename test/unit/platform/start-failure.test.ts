import { expect, it } from 'vitest'
import { startFailure } from '../../../platform/run-announced.ts'

it('tells the next step when a disk is full, and otherwise what was thrown', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(startFailure(full)).toMatch(/^A disk is full \(ENOSPC.*DATA_DIR/)
  expect(startFailure(new Error('something else'))).toBe('something else')
})
