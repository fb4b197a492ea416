import { ComponentItem } from './component-item.tsx'
import type { ShownComponent } from './facts.ts'
import { summaryOf } from './summary.ts'
import { useHealths } from './use-healths.ts'
import { useWords } from './words/words.ts'

/** The components with their states and links, and one sentence about all of them, announced when it changes. */
export function ComponentList({ components }: { components: readonly ShownComponent[] }) {
  const words = useWords()
  const healths = useHealths(components)
  return (
    <section aria-labelledby="components">
      <div className="row">
        <h2 id="components">{words.word('components')}</h2>
        <p className="quiet" role="status">
          {healths === undefined ? words.word('asking') : summaryOf(healths, words)}
        </p>
      </div>
      <ul className="components cards">
        {components.map(({ name }) => (
          <ComponentItem key={name} name={name} health={healths?.get(name)} />
        ))}
      </ul>
    </section>
  )
}
