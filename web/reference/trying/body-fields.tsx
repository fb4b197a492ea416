import { useId } from 'react'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { Disclosure, English, useDocument } from '../interface/document.tsx'
import type { RequestBody } from '../interface/openapi.ts'
import { shapeOf } from '../interface/shape.ts'
import { SchemaFields } from '../operation/schema-fields.tsx'
import { useWords } from '../words/words.ts'
import { bodyKind, type FormInput, isFile, partsOf, wholeBody } from './form-input.ts'
import { ValueField } from './parameter-field.tsx'
import { bodyPlace, partPlace } from './refusals.ts'

export interface BodyFieldsProps {
  readonly body: RequestBody
  readonly input: FormInput
  /** @param place - of the changed field */
  readonly onChange: (change: Partial<FormInput>, place: string) => void
  /** problem of a field */
  readonly problemAt: (place: string) => string | undefined
}

const maxRows = 18

/** The request body: as text, as form fields or as a file, with its schema. */
export function BodyFields({ body, input, onChange, problemAt }: BodyFieldsProps) {
  const { word } = useWords()
  const document = useDocument()
  const { mediaType = '', texts, parts } = input
  const content = body.content[mediaType]
  if (content === undefined) return null
  const types = Object.keys(body.content)
  const kind = bodyKind(document, mediaType, content)
  const text = texts[mediaType] ?? ''
  const { required = [] } = shapeOf(document, content.schema ?? {}).schema
  const fill = (name: string, value: string | File): void => onChange({ parts: { ...parts, [name]: value } }, partPlace(name))
  return (
    <>
      <English text={body.description} level={4} />
      {types.length > 1 && (
        <Choice
          label={word('media-type')}
          options={types.map((id) => ({ id, text: id }))}
          value={mediaType}
          onChange={(chosen) => onChange({ mediaType: chosen }, bodyPlace)}
        />
      )}
      {kind === 'text' && (
        <div className="body">
          <Field
            label={word('body')}
            mark={[mediaType, ...(body.required === true ? [word('required')] : [])].join(' · ')}
            isLong
            rows={Math.min(maxRows, text.split('\n').length + 1)}
            spellCheck="false"
            validationBehavior="aria"
            value={text}
            onChange={(typed) => onChange({ texts: { ...texts, [mediaType]: typed } }, bodyPlace)}
            problem={problemAt(bodyPlace)}
          />
        </div>
      )}
      {kind === 'file' && (
        <FileField
          name={word('file')}
          mark={mediaType}
          onChange={(file) => fill(wholeBody, file ?? '')}
          problem={problemAt(partPlace(wholeBody))}
        />
      )}
      {kind === 'form' &&
        partsOf(document, content).map(([name, schema]) =>
          isFile(document, schema) ? (
            <FileField
              key={name}
              name={name}
              mark={required.includes(name) ? word('required') : ''}
              onChange={(file) => fill(name, file ?? '')}
              problem={problemAt(partPlace(name))}
            />
          ) : (
            <ValueField
              key={name}
              name={name}
              marks={[]}
              schema={schema}
              isRequired={required.includes(name)}
              value={String(parts[name] ?? '')}
              onChange={(value) => fill(name, value)}
              problem={problemAt(partPlace(name))}
            />
          ),
        )}
      {content.schema !== undefined && (
        <Disclosure key={mediaType} summary={word('schema')}>
          {() => content.schema && <SchemaFields schema={content.schema} />}
        </Disclosure>
      )}
    </>
  )
}

interface FileFieldProps {
  readonly name: string
  readonly mark: string
  readonly onChange: (file: File | undefined) => void
  readonly problem: string | undefined
}

function FileField({ name, mark, onChange, problem }: FileFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>
        <bdi>{name}</bdi> <span className="quiet">{mark}</span>
      </label>
      <input
        type="file"
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={({ target }) => onChange(target.files?.[0])}
      />
      <span id={`${id}-problem`} className="bad">
        {problem}
      </span>
    </div>
  )
}
