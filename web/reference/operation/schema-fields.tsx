import { Disclosure, English, useDocument } from '../interface/document.tsx'
import type { Schema } from '../interface/openapi.ts'
import { insideOf, rulesOf, type Shape, shapeOf, typeOf } from '../interface/shape.ts'
import { useWords } from '../words/words.ts'

interface Inside {
  readonly shape: Shape
  /** enclosing components, which are not expanded again */
  readonly ancestors: readonly string[]
}

/** The fields of a schema, expandable where they have fields of their own. */
export function SchemaFields({ schema }: { schema: Schema }) {
  const document = useDocument()
  const inside = insideOf(document, schema)
  return (
    <>
      <p>
        <code dir="ltr">{typeOf(document, schema)}</code>
      </p>
      <Rules schema={inside.schema} />
      <English text={inside.schema.description} level={4} />
      <Fields shape={inside} ancestors={namesOf(inside, [])} />
    </>
  )
}

const namesOf = ({ name }: Shape, ancestors: readonly string[]): readonly string[] =>
  name === undefined ? ancestors : [...ancestors, name]

const alternativesOf = ({ oneOf, anyOf, allOf }: Schema): readonly Schema[] => oneOf ?? anyOf ?? allOf ?? []

const anyNameOf = ({ additionalProperties: others }: Schema): Schema | undefined =>
  typeof others === 'object' && Object.keys(others).length > 0 ? others : undefined

const hasFields = ({ schema }: Shape): boolean =>
  schema.properties !== undefined || anyNameOf(schema) !== undefined || alternativesOf(schema).some((each) => !isPlain(each))

/** described completely by its type */
const isPlain = (schema: Schema): boolean =>
  Object.keys(schema).every((keyword) => ['type', 'format', 'const'].includes(keyword)) && schema.const === undefined

function Fields({ shape: { schema }, ancestors }: Inside) {
  const { word } = useWords()
  const { properties = {}, required = [], oneOf, anyOf } = schema
  const others = anyNameOf(schema)
  const alternatives = alternativesOf(schema)
  return (
    <>
      {alternatives.length > 0 && <p className="quiet">{word(oneOf ? 'schema.one-of' : anyOf ? 'schema.any-of' : 'schema.all-of')}</p>}
      <ul className="schema">
        {alternatives.map((alternative, at) => (
          // keyed by index: the document does not name them
          <FieldOf key={at} name={`${at + 1}.`} schema={alternative} ancestors={ancestors} />
        ))}
        {Object.entries(properties).map(([name, property]) => (
          <FieldOf key={name} name={name} schema={property} isRequired={required.includes(name)} ancestors={ancestors} />
        ))}
        {others !== undefined && <FieldOf name="*" note={word('schema.any-name')} schema={others} ancestors={ancestors} />}
      </ul>
      {schema.additionalProperties === false && <p className="quiet">{word('schema.no-others')}</p>}
    </>
  )
}

interface FieldOfProps {
  readonly name: string
  readonly note?: string
  readonly schema: Schema
  readonly isRequired?: boolean
  readonly ancestors: readonly string[]
}

function FieldOf({ name, note, schema, isRequired = false, ancestors }: FieldOfProps) {
  const { word } = useWords()
  const document = useDocument()
  const { schema: own } = shapeOf(document, schema)
  const inside = insideOf(document, schema)
  const isAncestor = inside.name !== undefined && ancestors.includes(inside.name)
  const marks = [
    isRequired && word('required'),
    own.readOnly && word('schema.read-only'),
    own.writeOnly && word('schema.write-only'),
    own.deprecated && word('deprecated'),
    note,
    isAncestor && word('schema.as-above'),
  ].filter((mark) => typeof mark === 'string')
  return (
    <li>
      <code className="name" dir="ltr">
        {name}
      </code>{' '}
      <code className="quiet" dir="ltr">
        {typeOf(document, schema)}
      </code>{' '}
      {marks.map((mark) => (
        <span key={mark} className="mark">
          {mark}
        </span>
      ))}
      <Rules schema={inside === undefined ? own : { ...inside.schema, ...own }} />
      <English text={own.description ?? inside.schema.description} level={4} />
      {hasFields(inside) && !isAncestor && (
        <Disclosure summary={word('schema.fields', { name })}>
          {() => <Fields shape={inside} ancestors={namesOf(inside, ancestors)} />}
        </Disclosure>
      )}
    </li>
  )
}

/** Constraints of a value besides its type, in JSON Schema terms. */
export function Rules({ schema }: { schema: Schema }) {
  const rules = rulesOf(schema)
  if (rules.length === 0) return null
  return (
    <p className="rules" dir="ltr" lang="en">
      {rules.map((rule) => (
        <code key={rule}>{rule}</code>
      ))}
    </p>
  )
}
