import { expect, it } from 'vitest'
import { deviceLifetimeS, KnownDevices } from '../../../engines/identity/known-devices.ts'

const clock = { at: 1_790_000_000_000, now: () => clock.at }
const devices = new KnownDevices(new Uint8Array(32).fill(1), clock)

it('knows a device for up to five accounts that signed in on it, and for no other', () => {
  let cookie: string | undefined
  for (let person = 0; person < 6; person++) cookie = devices.remember(cookie, `person-${person}@example.org`)
  expect(devices.find(cookie, ' Person-5@example.org')).toMatch(/^[\w-]{22}$/)
  expect(devices.find(cookie, 'person-1@example.org')).toBeDefined()
  expect(devices.find(cookie, 'person-0@example.org')).toBeUndefined()
  expect(devices.find(cookie, 'other@example.org')).toBeUndefined()
  expect(devices.remember(cookie, 'person-5@example.org').split('.')).toHaveLength(5)
})

it('rejects a cookie that was changed, was signed with another key, or has expired', () => {
  const cookie = devices.remember(undefined, 'ada@example.org')
  const changed = Buffer.from(cookie, 'base64url')
  changed[0] = (changed[0] ?? 0) ^ 1
  expect(devices.find(changed.toString('base64url'), 'ada@example.org')).toBeUndefined()
  expect(new KnownDevices(new Uint8Array(32).fill(2), clock).find(cookie, 'ada@example.org')).toBeUndefined()
  for (const odd of [undefined, '', '....', 'x', 'a'.repeat(10_000)]) expect(devices.find(odd, 'ada@example.org')).toBeUndefined()
  clock.at += deviceLifetimeS * 1000
  expect(devices.find(cookie, 'ada@example.org')).toBeUndefined()
})
