import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Scrolling } from '../../components/keyboard.tsx'
import { saveFile } from '../../shared/frame/page-document.ts'
import type { Result } from '../progress/verification-service.ts'
import { useWords } from '../words/words.ts'

/** The result as a client receives it: the REST JobResult, or the GraphQL job when the REST document is not in the first page. */
export function AnswerPanel({ result: { job, document: jobResult } }: { result: Result }) {
  const { word } = useWords()
  const [isCopied, setCopied] = useState(false)
  const text = JSON.stringify(jobResult ?? job, null, 2)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <section className="panel answer unprinted" aria-labelledby="answer">
      <h2 id="answer">{word('answer.title')}</h2>
      <p className="quiet">{word(jobResult === undefined ? 'answer.graph' : 'answer.rest')}</p>
      <Scrolling label={word('answer.title')}>
        <pre dir="ltr" lang="en">
          {text}
        </pre>
      </Scrolling>
      <p className="row">
        {/* the Clipboard API needs a secure context */}
        {'clipboard' in navigator && (
          <Button look="plain" onPress={() => void copy()}>
            {word('answer.copy')}
          </Button>
        )}
        <Button look="plain" onPress={() => saveFile(`${job.id}.json`, 'application/json', text)}>
          {word('answer.save')}
        </Button>
        <span role="status">{isCopied && word('answer.copied')}</span>
      </p>
    </section>
  )
}
