import { useSubscription } from '@apollo/client/react'
import { useState } from 'react'
import { graphql } from './gql'
import { Problem } from './problem.tsx'

const Added = graphql(`subscription Added { expressionAdded { position kind expression { id text } } }`)

/** New expressions; after a network cut the session's socket delivers the missed ones. */
export function LiveView() {
  const [texts, setTexts] = useState<readonly string[]>([])
  const { error } = useSubscription(Added, {
    onData({ data: { data } }) {
      const text = data?.expressionAdded.expression?.text
      if (text !== undefined) setTexts((before) => [text, ...before].slice(0, 100))
    },
  })
  return (
    <>
      <h1>Live</h1>
      {error !== undefined && <Problem error={error} />}
      <ol aria-label="new expressions">
        {texts.map((text, index) => (
          <li key={`${texts.length - index}`} dir="auto">
            {text}
          </li>
        ))}
      </ol>
    </>
  )
}
