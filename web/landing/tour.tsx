import { Button } from '../components/button.tsx'
import { useDoneSteps } from './done-steps.ts'
import { steps } from './steps.ts'
import { TourStep } from './tour-step.tsx'
import { useWords } from './words/words.ts'

/** A five-minute tour of the platform for new users. */
export function Tour() {
  const { word } = useWords()
  const { done, mark, clear } = useDoneSteps()
  const next = steps.find(({ name }) => !done.has(name))
  return (
    <section aria-labelledby="tour">
      <h2 id="tour">{word('tour.title')}</h2>
      <p>{word('tour.about')}</p>
      <ol className="tour cards">
        {steps.map((step, index) => (
          <TourStep
            key={step.name}
            step={step}
            number={index + 1}
            isDone={done.has(step.name)}
            isNext={step === next}
            onMark={(isDone) => mark(step.name, isDone)}
          />
        ))}
      </ol>
      <div className="row progress">
        <span>{next === undefined ? word('tour.finished') : word('tour.progress', { done: done.size, all: steps.length })}</span>
        {done.size > 0 && <Button onPress={clear}>{word('tour.again')}</Button>}
      </div>
    </section>
  )
}
