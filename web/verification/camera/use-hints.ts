import { type RefObject, useEffect, useState } from 'react'
import { faceDetector } from './face-detector.ts'
import { type Advice, hintsOf, measuredSide, type Subject } from './hints.ts'
import { type Gray, grayOf } from './measures/gray.ts'

/** interval in ms: light on slow phones, and long enough to read a hint */
const everyMs = 300

export interface Hints {
  /** undefined: not yet measured */
  readonly advices: readonly Advice[] | undefined
  /** the browser's face detector, or light and shade */
  readonly by: 'detector' | 'shades'
}

/** Measures the camera's picture at an interval and returns the hints. */
export function useHints(video: RefObject<HTMLVideoElement>, subject: Subject, isRunning: boolean): Hints {
  const [hints, setHints] = useState<Hints>({ advices: undefined, by: 'shades' })
  useEffect(() => {
    if (!isRunning) return
    const detect = subject === 'selfie' ? faceDetector() : undefined
    let timer: ReturnType<typeof setTimeout>
    const look = async (): Promise<void> => {
      const place = video.current
      const gray = place === null ? undefined : measured(place)
      if (place !== null && gray !== undefined) {
        const hasFace = await detect?.(place)
        const advices = hintsOf(gray, subject, hasFace)
        setHints((before) =>
          before.advices?.join() === advices.join() ? before : { advices, by: hasFace === undefined ? 'shades' : 'detector' },
        )
      }
      timer = setTimeout(() => void look(), everyMs)
    }
    void look()
    return () => clearTimeout(timer)
  }, [video, subject, isRunning])
  return hints
}

function measured(video: HTMLVideoElement): Gray | undefined {
  const { videoWidth, videoHeight } = video
  if (videoWidth === 0) return undefined
  const scale = measuredSide / Math.max(videoWidth, videoHeight)
  const canvas = new OffscreenCanvas(Math.round(videoWidth * scale), Math.round(videoHeight * scale))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return undefined
  context.drawImage(video, 0, 0, canvas.width, canvas.height)
  return grayOf(context.getImageData(0, 0, canvas.width, canvas.height))
}
