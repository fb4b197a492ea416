import { useEffect, useRef } from 'react'
import { useWords } from '../words/words.ts'
import type { FieldName } from './draft.ts'
import type { FormProblem } from './problems.ts'

/** Returns a function that words the problems of the form. */
export function useProblemText(problems: readonly FormProblem[]) {
  const { word } = useWords()
  const textOf = ({ word: key, detail = '' }: FormProblem): string => word(key, { detail })
  const problemAt = (field: FieldName): string | undefined => {
    const match = problems.find((problem) => problem.field === field)
    return match && textOf(match)
  }
  return { textOf, problemAt }
}

/** The problems above the form; it takes the focus, and each line links to its field. */
export function ProblemList({ problems, attempt }: { problems: readonly FormProblem[]; attempt: number }) {
  const { word } = useWords()
  const { textOf } = useProblemText(problems)
  const place = useRef<HTMLDivElement>(null)
  // per attempt: correcting a field must not move the focus
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
          const key = `${field} ${problem.word} ${problem.detail}`
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

/** Focuses a field. */
function focusField(name: FieldName): void {
  const place = document.querySelector<HTMLElement>(`[data-photograph="${name}"] input, [name="${name}"]`)
  // the field may be in a closed disclosure
  const folded = place?.closest('details')
  if (folded !== null && folded !== undefined) folded.open = true
  place?.focus()
}
