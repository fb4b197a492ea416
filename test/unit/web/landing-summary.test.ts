import { describe, expect, it } from 'vitest'
import { type Status, summaryOf } from '../../../web/landing/summary.ts'
import en from '../../../web/landing/words/en.json' with { type: 'json' }

const texts: Readonly<Record<string, string | Readonly<Record<string, string>>>> = en
const word = (key: string, values: Readonly<Record<string, string | number>> = {}): string => {
  const text = texts[key] ?? key
  return (typeof text === 'string' ? text : (text.other ?? '')).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}
const named = (group: string, code: string): string => word(`${group}.${code}`)

const summary = (content: Status, administration: Status): string =>
  summaryOf(
    new Map([
      ['administration', { status: administration }],
      ['content', { status: content }],
    ]),
    { word, named },
  )

describe('the sentence about all components', () => {
  it('says that all services work', () => expect(summary('OK', 'OK')).toBe('All 2 services are working.'))
  it('names the services that do not', () => {
    expect(summary('DOWN', 'OK')).toBe('Content: not working.')
    expect(summary('SILENT', 'DEGRADED')).toBe('Administration: partly working; Content: not responding.')
  })
  it('blames the gateway when no component responds', () => expect(summary('SILENT', 'SILENT')).toBe('The gateway is not responding.'))
})
