import type { GraphQLSchema } from 'graphql'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { headersOf } from '../running/prepared.ts'
import { type Problem, problemOf } from '../words/problem.ts'
import { readSchema } from './read-schema.ts'

/**
 * The schema, or the problem of loading it; without it the editor lacks completion and documentation.
 * @param headers - from the header editor
 */
export function useSchema(headers: () => string) {
  const [read, setRead] = useState<{ readonly schema?: GraphQLSchema; readonly problem?: Problem }>({})
  const reload = useCallback(async (): Promise<void> => {
    setRead(({ schema }) => (schema === undefined ? {} : { schema }))
    const parsed = headersOf(headers())
    try {
      setRead({ schema: await readSchema(typeof parsed === 'string' ? {} : parsed) })
    } catch (error) {
      setRead({ problem: problemOf(error) })
    }
  }, [])
  useEffect(() => void reload(), [])
  return { ...read, reload }
}
