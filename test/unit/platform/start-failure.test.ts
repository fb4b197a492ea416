import { expect, it } from 'vitest'
import { startFailure } from '../../../platform/run-announced.ts'

it('names the next step for a full disk, and otherwise the message of the error', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(startFailure(full)).toMatch(/^A disk is full \(ENOSPC.*DATA_DIR/)
  expect(startFailure(new Error('something else'))).toBe('something else')
})
