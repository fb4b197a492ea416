import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CameraDialog } from '../camera/camera-dialog.tsx'
import { useWords } from '../words/words.ts'
import type { Photograph } from './use-submission.ts'

export interface PhotographFieldProps {
  readonly name: 'selfie' | 'front' | 'back'
  readonly photograph: Photograph
  readonly problem?: string | undefined
  readonly onTake: (file: Blob | undefined) => void
}

/** On phones the camera app takes better photos than a page can. */
const isHandheld = matchMedia('(pointer: coarse)').matches
const accepted = 'image/jpeg,image/png,image/webp'

/** A photo field: choose, drop, paste, or take with the device's camera. */
export function PhotographField({ name, photograph, problem, onTake }: PhotographFieldProps) {
  const { word } = useWords()
  const [isOver, setOver] = useState(false)
  const [isTaking, setTaking] = useState(false)
  const [title, help, wrong, file, capture] = [useId(), useId(), useId(), useId(), useId()]
  const subject = name === 'selfie' ? 'selfie' : 'document'
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const dropped = event.dataTransfer.files[0]
    if (dropped !== undefined) onTake(dropped)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be beside its picture
    <div
      role="group"
      aria-labelledby={title}
      className={isOver ? 'photograph over' : 'photograph'}
      data-photograph={name}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Preview photograph={photograph} alt={word(`field.${name}`)} subject={subject} />
      <div className="about">
        <p className="name" id={title}>
          {word(`field.${name}`)} {name === 'back' && <span className="quiet">{word('optional-back')}</span>}
        </p>
        <p className="hint" id={help}>
          {word(`help.${name}`)}
        </p>
        {problem !== undefined && (
          <p className="problem" id={wrong}>
            {problem}
          </p>
        )}
        <p className="row">
          <Chooser id={file} names={`${title} ${file}-text`} described={problem === undefined ? help : `${help} ${wrong}`} onTake={onTake}>
            {word('photograph.choose')}
          </Chooser>
          {isHandheld && (
            <Chooser
              id={capture}
              names={`${title} ${capture}-text`}
              described={help}
              capture={name === 'selfie' ? 'user' : 'environment'}
              onTake={onTake}
            >
              {word('photograph.phone')}
            </Chooser>
          )}
          <Button look="plain" onPress={() => setTaking(true)}>
            {word('photograph.camera')}
          </Button>
          {photograph.content !== undefined && (
            <Button
              look="plain"
              aria-label={word('photograph.remove-one', { name: word(`field.${name}`) })}
              onPress={() => onTake(undefined)}
            >
              {word('photograph.remove')}
            </Button>
          )}
        </p>
        <PhotographState photograph={photograph} />
      </div>
      {isTaking && (
        <CameraDialog
          subject={subject}
          title={word(`camera.${subject}`)}
          onClose={() => setTaking(false)}
          onTake={(taken) => {
            setTaking(false)
            onTake(taken)
          }}
        />
      )}
    </div>
  )
}

interface ChooserProps {
  readonly id: string
  /** ids of the labelling elements */
  readonly names: string
  readonly described: string
  readonly capture?: 'user' | 'environment'
  readonly onTake: (file: Blob) => void
  readonly children: string
}

/** A file input with the page's own words instead of the browser's. */
function Chooser({ id, names, described, capture, onTake, children }: ChooserProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <span className="chooser">
      <input
        ref={field}
        id={id}
        type="file"
        className="unseen"
        accept={capture === undefined ? accepted : 'image/*'}
        capture={capture}
        aria-labelledby={names}
        aria-describedby={described}
        onChange={() => {
          const chosen = field.current?.files?.[0]
          if (chosen !== undefined) onTake(chosen)
          // the same file may be chosen again
          if (field.current !== null) field.current.value = ''
        }}
      />
      <label htmlFor={id} id={`${id}-text`} className="button plain">
        {children}
      </label>
    </span>
  )
}

function Preview({ photograph: { content }, alt, subject }: { photograph: Photograph; alt: string; subject: 'selfie' | 'document' }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (content === undefined) return setAddress(undefined)
    const made = URL.createObjectURL(content)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return (
    <div className="preview-place">
      {address === undefined ? (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          {subject === 'selfie' ? (
            <path d="M12 4a4 4 0 1 1 0 8.4A4 4 0 0 1 12 4zM4.5 21a7.5 6.6 0 0 1 15 0" />
          ) : (
            <path d="M3 5.5h18a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1zM5 15.5a2.4 2.4 0 0 1 4.8 0M7.4 9a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2zM13 9.5h6M13 12.5h6M13 15.5h4" />
          )}
        </svg>
      ) : (
        <img src={address} alt={alt} className="preview" />
      )}
    </div>
  )
}

/** What was done to it, or why it cannot be used; read out when it changes. */
function PhotographState({ photograph: { content, isFitting, changes = [], failure } }: { photograph: Photograph }) {
  const { word, number } = useWords()
  const size = content === undefined ? '' : number(Math.round(content.size / 104_857.6) / 10)
  return (
    <div role="status">
      {isFitting && <p className="hint">{word('photograph.fitting')}</p>}
      {failure !== undefined && <p className="problem">{word(`photograph.${failure}`)}</p>}
      {changes.length > 0 && <p className="hint">{changes.map((change) => word(`photograph.${change}`, { size })).join(' ')}</p>}
    </div>
  )
}
