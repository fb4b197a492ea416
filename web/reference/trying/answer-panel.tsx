import { useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Badge } from '../../components/status.tsx'
import { saveBlob } from '../../shared/frame/page-document.ts'
import { CodeText, Disclosure } from '../interface/document.tsx'
import type { Operation } from '../interface/operations.ts'
import { CopyButton } from '../operation/copy-button.tsx'
import { kindOf } from '../operation/responses.tsx'
import { useWords } from '../words/words.ts'
import { indented } from './indented.ts'
import type { Answer } from './send.ts'
import { maxSeconds, type Trial } from './use-trial.ts'

/** characters of a response shown in the page: more would block the browser */
const maxCharacters = 100_000
/** a UTF-8 character has at most four bytes */
const maxBytes = 4 * maxCharacters
/** request size above which the service may have rejected it by size */
const largeBytes = 1_000_000

/** The response of a trial request. */
export function AnswerPanel({ operation, trial }: { operation: Operation; trial: Trial }) {
  const { word } = useWords()
  return (
    <>
      <div role="status">
        {trial.step === 'waiting' && <p>{word('waiting')}</p>}
        {trial.step === 'failed' && (
          <div className="notice bad">
            <p>{word(`failed.${trial.why}`, { seconds: maxSeconds })}</p>
            {trial.why === 'unanswered' && trial.sentBytes > largeBytes && <p>{word('failed.large')}</p>}
          </div>
        )}
        {trial.step === 'answered' && <Head answer={trial.answer} />}
      </div>
      {trial.step === 'answered' && <Body key={trial.answer.durationMs} operation={operation} answer={trial.answer} />}
    </>
  )
}

function Head({ answer: { status, statusText, durationMs, content } }: { answer: Answer }) {
  const { word, number } = useWords()
  return (
    <div className="answer">
      <h4>{word('answer')}</h4>
      <p>
        <Badge kind={kindOf(String(status))}>
          <bdi dir="ltr">
            {status} {statusText}
          </bdi>
        </Badge>{' '}
        {word('answer.took', { milliseconds: number(Math.round(durationMs)), bytes: number(content.size) })}
      </p>
    </div>
  )
}

function Body({ operation, answer }: { operation: Operation; answer: Answer }) {
  const { word } = useWords()
  const { mediaType, content, headers } = answer
  return (
    <>
      <Disclosure summary={word('headers')}>
        {() => <CodeText label={word('headers')} text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />}
      </Disclosure>
      {content.size === 0 ? (
        <p className="quiet">{word('answer.empty')}</p>
      ) : /^image\//.test(mediaType) ? (
        <Picture content={content} name={operation.id} />
      ) : isText(mediaType) ? (
        <Text answer={answer} />
      ) : (
        <p>{word('answer.file', { type: mediaType || 'application/octet-stream' })}</p>
      )}
      {content.size > 0 && (
        <p className="row">
          {isText(mediaType) && <CopyButton label={word('answer.copy')} text={() => content.text()} />}
          <Button onPress={() => saveBlob(fileName(operation, answer), content)}>{word('answer.save')}</Button>
        </p>
      )}
    </>
  )
}

const isText = (mediaType: string): boolean => /^text\/|[/+](?:json|xml|yaml|x-ndjson|javascript)$/.test(mediaType)

function Text({ answer: { mediaType, content } }: { answer: Answer }) {
  const { word, number } = useWords()
  const [shown, show] = useState<{ readonly text: string; readonly isCut: boolean }>()
  useEffect(() => {
    void content
      .slice(0, maxBytes)
      .text()
      .then((text) => {
        const made = /[/+]json$/.test(mediaType) ? indented(text, maxCharacters) : text.slice(0, maxCharacters)
        show({ text: made, isCut: content.size > maxBytes || made.length === maxCharacters })
      })
  }, [content, mediaType])
  if (shown === undefined) return null
  return (
    <>
      <CodeText label={word('answer.body')} text={shown.text} />
      {shown.isCut && <p className="quiet">{word('answer.cut', { characters: number(maxCharacters) })}</p>}
    </>
  )
}

function Picture({ content, name }: { content: Blob; name: string }) {
  const { word } = useWords()
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(content)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return address === undefined ? null : <img className="preview" src={address} alt={word('answer.picture', { name })} />
}

/** File name from Content-Disposition, or the operation's name with the extension of the media type. */
function fileName({ id }: Operation, { mediaType, headers }: Answer): string {
  const disposition = headers.find(([name]) => name === 'content-disposition')?.[1] ?? ''
  const [, fileName] = /filename="?([^";]+)/.exec(disposition) ?? []
  const kind = mediaType.replace(/^.*[/+]/, '').replace(/^x-/, '')
  return fileName ?? `${id}.${kind === 'plain' ? 'txt' : kind || 'bin'}`
}
