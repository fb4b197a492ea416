import { elementAt } from './element.ts'

/**
 * What a form does instead of leaving the page. It is sent once at a time; why not is said in the platform's own sentence.
 * @param problem - where that is said   @param use - what is done with what was given
 */
export function onSubmit(form: HTMLFormElement, problem: Element, use: (given: FormData) => Promise<void>): void {
  const submitter = elementAt('button', HTMLButtonElement, form)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    problem.textContent = ''
    submitter.disabled = true
    try {
      await use(new FormData(form))
    } catch (error) {
      problem.textContent = sentenceOf(error)
    } finally {
      submitter.disabled = false
    }
  })
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.name === 'TimeoutError' ? 'The platform does not answer. Try again.' : error.message
}
