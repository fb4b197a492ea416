import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { EnglishLine, useDocument } from '../interface/document.tsx'
import type { Parameter, Schema } from '../interface/openapi.ts'
import { rulesOf, shapeOf, typeOf } from '../interface/shape.ts'
import { useWords } from '../words/words.ts'

export interface ValueFieldProps {
  readonly name: string
  /** text beside the name, such as its location */
  readonly marks: readonly string[]
  readonly schema: Schema
  readonly description?: string | undefined
  readonly example?: unknown
  readonly isRequired: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  readonly problem: string | undefined
}

/** option for a parameter that is not sent */
const unset = ' '

/** A parameter with its documentation: a selection for enumerated values, a text field otherwise; a list has one item per line. */
export function ValueField({ name, marks, schema, description, example, isRequired, value, onChange, problem }: ValueFieldProps) {
  const { word } = useWords()
  const document = useDocument()
  const { schema: own } = shapeOf(document, schema)
  const isList = own.type === 'array'
  const choices = own.type === 'boolean' ? ['true', 'false'] : own.enum?.map(String)
  const { enum: _, ...chosen } = own
  const rules = [...rulesOf(own.items ? shapeOf(document, own.items).schema : {}), ...rulesOf(choices === undefined ? own : chosen)]
  const notes = example === undefined ? rules : [...rules, `example: ${example}`]
  const help = (
    <span className="constraints">
      <code dir="ltr">{typeOf(document, schema)}</code> <EnglishLine text={description ?? own.description ?? ''} />
      {isList && ` ${word('one-a-line')}`}
      {notes.map((rule) => (
        <Rule key={rule} rule={rule} />
      ))}
    </span>
  )
  const shared = { name, label: name, mark: [...marks, ...(isRequired ? [word('required')] : [])].join(' · '), help, problem }
  if (choices !== undefined)
    return (
      <Choice
        {...shared}
        options={[...(isRequired ? [] : [{ id: unset, text: word('not-sent') }]), ...choices.map((id) => ({ id, text: id }))]}
        value={value === '' ? unset : value}
        onChange={(id) => onChange(id === unset ? '' : id)}
      />
    )
  return (
    <Field
      {...shared}
      type={own.format === 'password' ? 'password' : 'text'}
      inputMode={own.type === 'integer' ? 'numeric' : 'text'}
      autoComplete="off"
      spellCheck="false"
      isLong={isList}
      isRequired={isRequired}
      validationBehavior="aria"
      value={value}
      onChange={onChange}
    />
  )
}

function Rule({ rule }: { rule: string }) {
  return (
    <>
      {' '}
      <code dir="ltr" lang="en">
        {rule}
      </code>
    </>
  )
}

export interface ParameterFieldProps extends Pick<ValueFieldProps, 'value' | 'onChange' | 'problem'> {
  readonly parameter: Parameter
}

export function ParameterField({ parameter, ...props }: ParameterFieldProps) {
  const { word } = useWords()
  const { name, in: place, schema = {}, description, example, required = false, deprecated } = parameter
  const marks = [word(`in.${place}`), ...(deprecated === true ? [word('deprecated')] : [])]
  return (
    <ValueField {...props} name={name} marks={marks} schema={schema} description={description} example={example} isRequired={required} />
  )
}
