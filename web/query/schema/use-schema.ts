import type { GraphQLSchema } from 'graphql'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { headersOf } from '../running/prepared.ts'
import { type Problem, problemOf } from '../running/problem.ts'
import { readSchema } from './read-schema.ts'

/** The schema that the graph tells, or why it tells none: then everything works but what needs one. @param headers - as the header editor has them */
export function useSchema(headers: () => string) {
  const [read, setRead] = useState<{ readonly schema?: GraphQLSchema; readonly problem?: Problem }>({})
  const readAgain = useCallback(async (): Promise<void> => {
    setRead(({ schema }) => (schema === undefined ? {} : { schema }))
    const given = headersOf(headers())
    try {
      setRead({ schema: await readSchema(typeof given === 'string' ? {} : given) })
    } catch (error) {
      setRead({ problem: problemOf(error) })
    }
  }, [])
  useEffect(() => void readAgain(), [])
  return { ...read, readAgain }
}
