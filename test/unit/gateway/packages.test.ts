import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('has one version of every federation package of Apollo, pinned: mixed versions break every plan', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version?: string; dependencies?: Record<string, string> }>
  }
  const names = ['composition', 'federation-internals', 'gateway', 'query-graphs', 'query-planner']
  const installed = Object.entries(packages).filter(([path]) => names.some((name) => path.endsWith(`node_modules/@apollo/${name}`)))
  expect(installed).toHaveLength(names.length)
  expect(new Set(installed.map(([, { version }]) => version)).size).toBe(1)
  const required = Object.entries(packages['']?.dependencies ?? {}).filter(([name]) => names.some((each) => name === `@apollo/${each}`))
  expect(new Set(required.map(([, range]) => range))).toEqual(new Set([installed[0]?.[1].version]))
})
