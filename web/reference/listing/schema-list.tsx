import { Disclosure, useDocument } from '../interface/document.tsx'
import { referenceTo } from '../interface/references.ts'
import { SchemaFields } from '../operation/schema-fields.tsx'
import { useWords } from '../words/words.ts'

/** The schemas of requests and responses, by name. */
export function SchemaList() {
  const { word } = useWords()
  const names = Object.keys(useDocument().components?.schemas ?? {})
  if (names.length === 0) return null
  return (
    <section aria-labelledby="schemas">
      <h2 id="schemas">{word('schemas')}</h2>
      {names.map((name) => (
        <Disclosure key={name} summary={<code dir="ltr">{name}</code>}>
          {() => <SchemaFields schema={{ $ref: referenceTo(name) }} />}
        </Disclosure>
      ))}
    </section>
  )
}
