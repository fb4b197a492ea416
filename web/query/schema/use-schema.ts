import type { GraphQLSchema } from 'graphql'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { membersOf } from '../running/prepared.ts'
import type { Problem } from '../running/problem.ts'
import { problemOfSchema, readSchema } from './read-schema.ts'

/** The schema that the graph tells, or why it tells none: then everything works but what needs one. @param headers - as the header editor has them */
export function useSchema(headers: () => string) {
  const [read, setRead] = useState<{ readonly schema?: GraphQLSchema; readonly problem?: Problem }>({})
  const readAgain = useCallback(async (): Promise<void> => {
    setRead(({ schema }) => (schema === undefined ? {} : { schema }))
    const given = membersOf(headers())
    const named = typeof given === 'object' ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])) : {}
    try {
      setRead({ schema: await readSchema(named) })
    } catch (error) {
      setRead({ problem: problemOfSchema(error) })
    }
  }, [])
  useEffect(() => void readAgain(), [])
  return { ...read, readAgain }
}
