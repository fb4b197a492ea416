import { describe, expect, it } from 'vitest'
import { needsCluster, selectionOf } from '../../fault-matrix/selection.ts'

describe('the selection of faults', () => {
  it('is every role and engine with every fault, twice, by default', () => {
    const { cells, write } = selectionOf([])
    // 14 roles in 4 ways, 5 engines in 6
    expect(cells).toHaveLength(2 * (14 * 4 + 5 * 6))
    expect(write).toBe(true)
  })

  it('expands a component to all of its roles, and leaves out faults that a role or an engine does not have', () => {
    const { cells, write } = selectionOf(['--only', 'worker,redis', '--faults', 'term,full', '--rounds', '1'])
    expect(cells.map(({ subject, fault }) => `${subject} ${fault}`)).toEqual([
      'redis full',
      'worker:verification term',
      'worker:exploration term',
      'worker:classification term',
    ])
    expect(write).toBe(false)
  })

  it('is a single round with --round', () => {
    const { cells } = selectionOf(['--only', 'gateway', '--round', '2'])
    expect(cells.map(({ round }) => round)).toEqual([2, 2, 2, 2])
  })

  it('needs clusters only for the failover of Elasticsearch, Cassandra and Keycloak', () => {
    const { cells } = selectionOf(['--rounds', '1'])
    expect(cells.filter(needsCluster).map(({ subject, fault }) => `${subject} ${fault}`)).toEqual([
      'elasticsearch failover',
      'cassandra failover',
      'keycloak failover',
    ])
  })

  it.each([
    [['--only', 'gatewy'], '--only: there is no gatewy'],
    [['--faults', 'flood'], '--faults: there is no flood'],
    [['--rounds', '0'], '--rounds must be a whole number from 1'],
  ])('refuses %j, naming the option', (words, message) => {
    expect(() => selectionOf(words)).toThrow(message)
  })
})
