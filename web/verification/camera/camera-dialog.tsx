import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useWords } from '../words/words.ts'
import { useCamera } from './camera-stream.ts'
import { type Advice, frameOf, type Subject } from './hints.ts'
import { useHints } from './use-hints.ts'

export interface CameraDialogProps {
  readonly subject: Subject
  readonly title: string
  readonly onTake: (photograph: Blob) => void
  readonly onClose: () => void
}

/** The camera's picture with hints; the user checks a photo before it is used. */
export function CameraDialog({ subject, title, onTake, onClose }: CameraDialogProps) {
  const { word } = useWords()
  const [photograph, setPhotograph] = useState<Blob>()
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {photograph === undefined ? (
        <Viewfinder subject={subject} onTake={setPhotograph} onClose={onClose} />
      ) : (
        <>
          <TakenPhotograph photograph={photograph} />
          <p className="row">
            <Button look="main" autoFocus onPress={() => onTake(photograph)}>
              {word('camera.use')}
            </Button>
            <Button onPress={() => setPhotograph(undefined)}>{word('camera.again')}</Button>
          </p>
        </>
      )}
    </Dialog>
  )
}

function Viewfinder({ subject, onTake, onClose }: { subject: Subject; onTake: (photograph: Blob) => void; onClose: () => void }) {
  const { word } = useWords()
  const [facing, setFacing] = useState<'user' | 'environment'>(subject === 'selfie' ? 'user' : 'environment')
  const { video, isRunning, problem, hasOther } = useCamera(facing)
  const { advices, by } = useHints(video, subject, isRunning)
  const take = async (): Promise<void> => {
    if (video.current !== null) onTake(await still(video.current))
  }
  if (problem !== undefined)
    return (
      <>
        <div role="alert" className="notice bad">
          <p>{word(`camera.problem.${problem}`)}</p>
        </div>
        <p>{word('camera.instead')}</p>
        <Button look="main" autoFocus onPress={onClose}>
          {word('camera.back')}
        </Button>
      </>
    )
  return (
    <>
      <div className={facing === 'user' ? 'viewfinder mirrored' : 'viewfinder'}>
        <video ref={video} muted playsInline aria-label={word('camera.picture')} />
        {isRunning && <Frame subject={subject} of={video.current} isGood={advices?.length === 0} />}
      </div>
      <p className="advice" role="status">
        {!isRunning && word('camera.starting')}
        {isRunning && advices !== undefined && word(advices[0] === undefined ? `advice.good-${subject}` : `advice.${advices[0]}`)}
      </p>
      {isRunning && <Findings subject={subject} advices={advices} />}
      <p className="row">
        <Button look="main" autoFocus isDisabled={!isRunning} onPress={() => void take()}>
          {word('camera.take')}
        </Button>
        {hasOther && (
          <Button onPress={() => setFacing((before) => (before === 'user' ? 'environment' : 'user'))}>{word('camera.other')}</Button>
        )}
        <Button onPress={onClose}>{word('cancel')}</Button>
      </p>
      <details className="quiet">
        <summary>{word('camera.what')}</summary>
        <p>{word(subject === 'document' ? 'camera.by-edges' : `camera.by-${by}`)}</p>
        <p>{word('camera.by-light')}</p>
        <p>{word('camera.hints-alone')}</p>
      </details>
    </>
  )
}

const criteria: Readonly<
  Record<Subject, readonly { readonly name: 'face' | 'edges' | 'light' | 'sharp'; readonly lacking: readonly Advice[] }[]>
> = {
  selfie: [
    { name: 'face', lacking: ['no-face'] },
    { name: 'light', lacking: ['dark', 'bright', 'glare'] },
    { name: 'sharp', lacking: ['blurred'] },
  ],
  document: [
    { name: 'edges', lacking: ['no-edges'] },
    { name: 'light', lacking: ['dark', 'bright', 'glare'] },
    { name: 'sharp', lacking: ['blurred'] },
  ],
}

/** The measured properties with their states, as a visual aid; the advice is announced above. */
function Findings({ subject, advices }: { subject: Subject; advices: readonly Advice[] | undefined }) {
  const { word } = useWords()
  return (
    <ul className="checks" aria-hidden="true">
      {criteria[subject].map(({ name, lacking }) => (
        <li
          key={name}
          className="state"
          data-state={advices === undefined ? undefined : lacking.some((each) => advices.includes(each)) ? 'warn' : 'good'}
        >
          {word(`look.${name}`)}
        </li>
      ))}
    </ul>
  )
}

/** The outline for the face or the document. */
function Frame({ subject, of, isGood }: { subject: Subject; of: HTMLVideoElement | null; isGood: boolean }) {
  if (of === null) return null
  const { videoWidth: width, videoHeight: height } = of
  const { left, top, width: columns, height: rows } = frameOf(subject, width, height)
  const stroke = Math.max(width, height) / 200
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className={isGood ? 'good' : ''}>
      {subject === 'selfie' ? (
        <ellipse cx={left + columns / 2} cy={top + rows / 2} rx={columns / 2} ry={rows / 2} strokeWidth={stroke} />
      ) : (
        <rect x={left} y={top} width={columns} height={rows} rx={rows / 18} strokeWidth={stroke} />
      )}
    </svg>
  )
}

function TakenPhotograph({ photograph }: { photograph: Blob }) {
  const { word } = useWords()
  const picture = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const address = URL.createObjectURL(photograph)
    if (picture.current !== null) picture.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [photograph])
  return (
    <>
      <img ref={picture} className="taken" alt={word('camera.taken')} />
      <p className="quiet">{word('camera.look')}</p>
    </>
  )
}

/** Captures the current picture at full size, not mirrored. */
async function still(video: HTMLVideoElement): Promise<Blob> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight)
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })
}
