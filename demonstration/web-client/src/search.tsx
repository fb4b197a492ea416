import { useMutation, useQuery } from '@apollo/client/react'
import { afterVote } from '@civigraph/client'
import { useEffect, useRef, useState } from 'react'
import { graphql } from './gql'
import type { SearchQuery, VoteValue } from './gql/graphql.ts'
import { Problem } from './problem.tsx'

const Search = graphql(`
  query Search($input: SearchExpressionsInput!, $after: String) {
    searchExpressions(input: $input, after: $after) {
      pageInfo { endCursor hasNextPage }
      nodes { id text myVote votes { agree disagree pass total } }
    }
  }
`)
const Vote = graphql(`
  mutation Vote($input: CastVoteInput!) {
    castVote(input: $input) { value expression { id myVote votes { agree disagree pass total } } }
  }
`)

type Found = NonNullable<SearchQuery['searchExpressions']>['nodes'][number]
const values: readonly VoteValue[] = ['AGREE', 'DISAGREE', 'PASS']

/** One expression with its votes; a vote is shown before the platform has answered. */
function Expression({ expression }: { readonly expression: Found }) {
  const [vote, { error }] = useMutation(Vote)
  const cast = (value: VoteValue) => {
    const castVote = { __typename: 'CastVotePayload', value, expression: afterVote(expression, value) }
    return vote({ variables: { input: { expressionId: expression.id, value } }, optimisticResponse: { castVote } }).catch(() => undefined)
  }
  return (
    <li>
      <span dir="auto">{expression.text}</span>
      {values.map((value) => (
        <button key={value} type="button" aria-pressed={expression.myVote === value} onClick={() => void cast(value)}>
          {value.toLowerCase()}
        </button>
      ))}
      <output>{expression.votes.total}</output>
      {error !== undefined && <Problem error={error} />}
    </li>
  )
}

/** Results that load further pages as the end of the list comes into view. */
function Results({ text }: { readonly text: string }) {
  const { data, error, loading, fetchMore } = useQuery(Search, { variables: { input: { text, mode: 'HYBRID' } } })
  const end = useRef<HTMLParagraphElement>(null)
  const { nodes = [], pageInfo } = data?.searchExpressions ?? {}
  const after = pageInfo?.hasNextPage === true ? pageInfo.endCursor : null
  useEffect(() => {
    if (end.current === null || after === null) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) void fetchMore({ variables: { after } })
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [after, fetchMore])
  if (error !== undefined) return <Problem error={error} />
  return (
    <>
      <ul aria-label="results">
        {nodes.map((expression) => (
          <Expression key={expression.id} expression={expression} />
        ))}
      </ul>
      <p ref={end} role="status">
        {loading || after !== null ? 'Loading …' : `${nodes.length} results`}
      </p>
    </>
  )
}

export function SearchView() {
  const [text, setText] = useState('')
  return (
    <>
      <h1>Search</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setText(String(new FormData(event.currentTarget).get('text')))
        }}
      >
        <label>
          Words <input name="text" />
        </label>
        <button type="submit">Search</button>
      </form>
      {text !== '' && <Results key={text} text={text} />}
    </>
  )
}
