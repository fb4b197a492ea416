/** @jsxImportSource preact */

import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  print,
} from 'graphql'
import { useWords } from '../words/words.tsx'
import type { Place } from './search-schema.ts'

interface ShownProps {
  readonly schema: GraphQLSchema
  readonly onGo: (place: Place) => void
}

/** The root types. */
export function Roots({ schema, onGo }: ShownProps) {
  const { word } = useWords()
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter((each) => each != null)
  return (
    <>
      <Description text={schema.description} />
      <h3>{word('docs.begin')}</h3>
      <ul class="things">
        {roots.map(({ name, description }) => (
          <li key={name}>
            <Link type={name} onGo={onGo} />
            <Description text={description} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** A type: its description, fields or values, and related types. */
export function ShownType({ schema, type, onGo }: ShownProps & { readonly type: GraphQLNamedType }) {
  const { word } = useWords()
  const others = isAbstractType(type)
    ? schema.getPossibleTypes(type)
    : isObjectType(type)
      ? type.getInterfaces()
      : ([] as readonly GraphQLNamedType[])
  const fields =
    isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
      ? Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields())
      : []
  return (
    <>
      <Description text={type.description} />
      {fields.length > 0 && <h3>{word('docs.fields')}</h3>}
      <ul class="things">
        {fields.map((field) => (
          <li key={field.name}>
            <code>
              <button type="button" class="link" onClick={() => onGo({ type: type.name, field: field.name })}>
                {field.name}
              </button>
              {'args' in field && field.args.length > 0 && '(…)'}: <TypeOf type={field.type} onGo={onGo} />
              {'defaultValue' in field && <Default of={field} />}
            </code>
            <Deprecated reason={field.deprecationReason} />
            <Description text={field.description} />
          </li>
        ))}
      </ul>
      {isEnumType(type) && (
        <>
          <h3>{word('docs.values')}</h3>
          <ul class="things">
            {type.getValues().map(({ name, description, deprecationReason }) => (
              <li key={name}>
                <code>{name}</code>
                <Deprecated reason={deprecationReason} />
                <Description text={description} />
              </li>
            ))}
          </ul>
        </>
      )}
      {others.length > 0 && (
        <>
          <h3>{word(isAbstractType(type) ? 'docs.possible' : 'docs.interfaces')}</h3>
          <ul class="things">
            {others.map(({ name }) => (
              <li key={name}>
                <Link type={name} onGo={onGo} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** A field: its type and its arguments. */
export function ShownField({
  field,
  onGo,
}: Omit<ShownProps, 'schema'> & { readonly field: GraphQLField<unknown, unknown> | GraphQLInputField }) {
  const { word } = useWords()
  const args = 'args' in field ? field.args : []
  return (
    <>
      <p>
        <code>
          {field.name}: <TypeOf type={field.type} onGo={onGo} />
          {'defaultValue' in field && <Default of={field} />}
        </code>
      </p>
      <Deprecated reason={field.deprecationReason} />
      <Description text={field.description} />
      {args.length > 0 && (
        <>
          <h3>{word('docs.arguments')}</h3>
          <ul class="things">
            {args.map((argument) => (
              <li key={argument.name}>
                <code>
                  {argument.name}: <TypeOf type={argument.type} onGo={onGo} />
                  <Default of={argument} />
                </code>
                <Deprecated reason={argument.deprecationReason} />
                <Description text={argument.description} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

interface LinkProps {
  readonly type: string
  readonly onGo: (place: Place) => void
}

const Link = ({ type, onGo }: LinkProps) => (
  <button type="button" class="link" onClick={() => onGo({ type })}>
    <code>{type}</code>
  </button>
)

/** A type reference, with a link on the type's name. */
function TypeOf({ type, onGo }: { readonly type: GraphQLType; readonly onGo: LinkProps['onGo'] }) {
  const { name } = getNamedType(type)
  const [before, after] = String(type).split(name)
  return (
    <>
      {before}
      <Link type={name} onGo={onGo} />
      {after}
    </>
  )
}

function Default({ of: { defaultValue, type } }: { readonly of: GraphQLArgument | GraphQLInputField }) {
  const written = defaultValue === undefined ? undefined : astFromValue(defaultValue, type)
  return written == null ? null : <> = {print(written)}</>
}

function Deprecated({ reason }: { readonly reason: string | null | undefined }) {
  const { word } = useWords()
  return reason == null ? null : (
    <p class="description">
      <span class="badge warn">{word('docs.deprecated')}</span> <span dir="auto">{reason}</span>
    </p>
  )
}

/** A schema description: paragraphs and inline code. Other Markdown is shown as written. */
function Description({ text }: { readonly text: string | null | undefined }) {
  if (!text) return null
  return (
    <>
      {text.split(/\n{2,}/).map((paragraph, index) => (
        <p key={index} dir="auto" class="description">
          {paragraph.split('`').map((part, place) => (place % 2 === 1 ? <code key={`${place} ${part}`}>{part}</code> : part))}
        </p>
      ))}
    </>
  )
}
