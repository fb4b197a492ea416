import { Badge } from '../../components/status.tsx'
import { Disclosure, English, EnglishLine, useDocument } from '../interface/document.tsx'
import type { Parameter, ResponseObject } from '../interface/openapi.ts'
import type { Operation } from '../interface/operations.ts'
import { referred } from '../interface/references.ts'
import { typeOf } from '../interface/shape.ts'
import { useWords } from '../words/words.ts'
import { ContentsOf } from './contents.tsx'
import { Rules } from './schema-fields.tsx'

/** The responses by status; successful ones are open. */
export function Responses({ operation: { responses } }: { operation: Operation }) {
  const { word } = useWords()
  return (
    <>
      <h4>{word('responses')}</h4>
      <div className="responses">
        {responses.map(([status, response]) => {
          const { headers = {}, content } = response
          const line = <Line status={status} response={response} />
          if (content === undefined && Object.keys(headers).length === 0) return <p key={status}>{line}</p>
          return (
            <Disclosure key={status} isOpen={/^[12]/.test(status)} summary={line}>
              {() => (
                <>
                  <Headers headers={headers} />
                  {content !== undefined && <ContentsOf contents={content} of={status} />}
                </>
              )}
            </Disclosure>
          )
        })}
      </div>
    </>
  )
}

function Line({ status, response }: { status: string; response: ResponseObject }) {
  return (
    <>
      <Badge kind={kindOf(status)}>
        <bdi dir="ltr">{status}</bdi>
      </Badge>{' '}
      <EnglishLine text={response.description ?? ''} />
    </>
  )
}

/** Returns the severity of a status. */
export const kindOf = (status: string): 'good' | 'warn' | 'bad' | 'plain' =>
  /^[123]/.test(status) ? 'good' : /^4/.test(status) ? 'warn' : /^5/.test(status) ? 'bad' : 'plain'

function Headers({ headers }: { headers: NonNullable<ResponseObject['headers']> }) {
  const { word } = useWords()
  const document = useDocument()
  const named = Object.entries(headers).flatMap(([name, header]) => {
    const target = referred<Omit<Parameter, 'name' | 'in'>>(document, header)
    return target === undefined ? [] : [[name, target] as const]
  })
  if (named.length === 0) return null
  return (
    <>
      <h5>{word('headers')}</h5>
      <ul className="schema">
        {named.map(([name, { description, schema = {} }]) => (
          <li key={name}>
            <code className="name" dir="ltr">
              {name}
            </code>{' '}
            <code className="quiet" dir="ltr">
              {typeOf(document, schema)}
            </code>
            <Rules schema={schema} />
            <English text={description} level={5} />
          </li>
        ))}
      </ul>
    </>
  )
}
