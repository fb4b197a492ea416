import { Component, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { problemsOf } from '../../components/problem.tsx'
import { useSharedWords } from '../words/language.tsx'

/** Returns a thrown value as an Error. */
export const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** Shows an error in place of a failed part of the page; the other parts continue to work. */
export class FaultBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error | undefined }> {
  override state: { readonly error?: Error | undefined } = {}

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <Fault error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}

function Fault({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const words = useSharedWords()
  return (
    <div role="alert" className="notice bad">
      <h3>{words.word('fault.title')}</h3>
      {problemsOf(error, words).map(({ sentence }) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <Button look="plain" onPress={onRetry}>
        {words.word('fault.again')}
      </Button>
    </div>
  )
}
