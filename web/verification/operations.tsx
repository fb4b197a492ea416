import type { ListedOperation } from './facts.ts'
import { useWords } from './words/words.ts'

/** The documented operations of the service, described in English as in their documentation. */
export function Operations({ operations }: { operations: readonly ListedOperation[] }) {
  const { word } = useWords()
  return (
    <section aria-labelledby="endpoints">
      <h2 id="endpoints">{word('endpoints')}</h2>
      <p>
        {word('endpoints.key')} <a href="/docs">{word('endpoints.documentation')}</a>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{word('endpoints.request')}</th>
            <th scope="col">{word('endpoints.does')}</th>
          </tr>
        </thead>
        <tbody>
          {operations.map(({ method, path, summary, isShown, needsKey }) => (
            <tr key={`${method} ${path}`}>
              <th scope="row">
                <bdi dir="ltr">
                  <span className="method">{method}</span> <code>{isShown ? <a href={path}>{path}</a> : path}</code>
                </bdi>
              </th>
              <td>
                <span lang="en" dir="ltr">
                  {summary}
                </span>
                {needsKey && <span className="mark">{word('endpoints.mark')}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
