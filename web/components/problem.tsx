import type { CombinedError } from 'urql'

/** What was refused, in the platform's own sentences, each once. Nothing where nothing was. */
export function Problem({ error }: { error: CombinedError | Error | undefined }) {
  if (error === undefined) return null
  return (
    <div role="alert" className="notice bad">
      {sentencesOf(error).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}

export function sentencesOf(error: CombinedError | Error): readonly string[] {
  const { graphQLErrors = [], networkError } = error as Partial<CombinedError>
  const told = graphQLErrors.map(({ message }) => message)
  if (told.length > 0) return [...new Set(told)]
  return [networkError?.message ?? error.message]
}
