import { type FormEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Form as Behaviour } from 'react-aria-components'
import type { CombinedError } from 'urql'
import { Problem } from './problem.tsx'

/** A member of what was sent, and the rule that it breaks. */
interface Entry {
  readonly path: readonly (string | number)[]
  readonly message: string
}

export interface FormProps {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** what was refused: each member is told at the field of its name, until somebody changes it */
  readonly error: CombinedError | undefined
  readonly children: ReactNode
}

/** A form that leads to what is wrong in it: the first field that cannot stay so has the focus. What is of no field is told at the end. */
export function Form({ onSubmit, error, children }: FormProps) {
  const place = useRef<HTMLFormElement>(null)
  const refused = useMemo(() => refusedMembers(error), [error])
  const names = Object.keys(refused)
  const isElsewhere = names.length === 0 || names.some((name) => place.current?.elements.namedItem(name) == null)
  useEffect(() => {
    // the browser leads to the first, as it does where a field is empty
    if (Object.keys(refused).length > 0) place.current?.reportValidity()
  }, [refused])
  return (
    <Behaviour ref={place} className="column" onSubmit={onSubmit} validationErrors={refused}>
      {children}
      {isElsewhere && <Problem error={error} />}
    </Behaviour>
  )
}

/** @returns what is wrong with a member, by its name; of a list, with the first that is wrong in it */
function refusedMembers(error: CombinedError | undefined): Readonly<Record<string, string>> {
  const entries = (error?.graphQLErrors ?? []).flatMap(({ extensions }) => (extensions.entries ?? []) as readonly Entry[])
  return Object.fromEntries(entries.toReversed().map(({ path, message }) => [String(path[0] ?? ''), message]))
}
