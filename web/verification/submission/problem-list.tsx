import { useEffect, useRef } from 'react'
import { useWords } from '../words/words.ts'
import type { FieldName } from './draft.ts'
import { focusField } from './focus-field.ts'
import type { FormProblem } from './problems.ts'

/** The problems of the form in words. */
export function useProblemText(problems: readonly FormProblem[]) {
  const { word } = useWords()
  const textOf = ({ word: key, said = '' }: FormProblem): string => word(key, { said })
  const problemAt = (field: FieldName): string | undefined => {
    const found = problems.find((problem) => problem.field === field)
    return found && textOf(found)
  }
  return { textOf, problemAt }
}

/** All that keeps the form from being sent, above it; it gets the focus, and each line leads to its field. */
export function ProblemList({ problems, attempt }: { problems: readonly FormProblem[]; attempt: number }) {
  const { word } = useWords()
  const { textOf } = useProblemText(problems)
  const place = useRef<HTMLDivElement>(null)
  // what is corrected meanwhile takes nobody away from where they write
  useEffect(() => {
    place.current?.scrollIntoView({ behavior: 'instant' })
    place.current?.focus({ preventScroll: true })
  }, [attempt])
  if (problems.length === 0) return null
  return (
    <div className="notice bad" id="problems" role="alert" tabIndex={-1} ref={place}>
      <h3>{word('problems', { count: problems.length })}</h3>
      <ul>
        {problems.map((problem) => {
          const { field } = problem
          const key = `${field} ${problem.word} ${problem.said}`
          if (field === undefined) return <li key={key}>{textOf(problem)}</li>
          return (
            <li key={key}>
              <button type="button" className="link" onClick={() => focusField(field)}>
                {word(`field.${field}`)}: {textOf(problem)}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
