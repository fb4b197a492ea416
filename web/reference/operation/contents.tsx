import { useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { CodeText, Disclosure, useDocument } from '../interface/document.tsx'
import type { Contents } from '../interface/openapi.ts'
import { codeOf, exampleOf } from '../interface/sample.ts'
import { useWords } from '../words/words.ts'
import { SchemaFields } from './schema-fields.tsx'

/** Content by media type: schema and example. @param of - owner of the content, for screen readers */
export function ContentsOf({ contents, of }: { contents: Contents; of: string }) {
  const { word } = useWords()
  const document = useDocument()
  const types = Object.keys(contents)
  const [chosen, choose] = useState(types[0] ?? '')
  const content = contents[chosen]
  if (content === undefined) return null
  const example = exampleOf(document, content)
  return (
    <>
      {types.length > 1 ? (
        <Choice label={word('media-type')} options={types.map((id) => ({ id, text: id }))} value={chosen} onChange={choose} />
      ) : (
        <p>
          <code dir="ltr">{chosen}</code>
        </p>
      )}
      {example !== undefined && <CodeText label={word('example-of', { of })} text={codeOf(example)} />}
      {content.schema !== undefined && (
        <Disclosure key={chosen} summary={word('schema')}>
          {() => content.schema && <SchemaFields schema={content.schema} />}
        </Disclosure>
      )}
    </>
  )
}
