import { elementAt } from './element.ts'

export interface Said {
  /** where it is said why not */
  readonly problem: Element
  /** what is said where nobody answers, in the language of the page */
  readonly unanswered: string
}

/**
 * What a form does instead of leaving the page. It is sent once at a time; why not is said in the platform's own sentence.
 * @param use - what is done with what was given. @throws {Error} with such a sentence; any other kind of error: nobody who knows the form answered
 */
export function onSubmit(form: HTMLFormElement, { problem, unanswered }: Said, use: (given: FormData) => Promise<void>): void {
  const submitter = elementAt('button', HTMLButtonElement, form)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    problem.textContent = ''
    submitter.disabled = true
    try {
      await use(new FormData(form))
    } catch (error) {
      problem.textContent = error instanceof Error && error.name === 'Error' ? error.message : unanswered
    } finally {
      submitter.disabled = false
    }
  })
}
