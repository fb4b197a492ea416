import { useEffect, useRef, useState } from 'react'

/** Reasons for a missing picture: refused by the user or the device, no camera, a camera in use by another program, or an insecure page. */
export type CameraProblem = 'refused' | 'none' | 'busy' | 'insecure'

const problems: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
  InsecureError: 'insecure',
}

export interface CameraState {
  /** attaches the stream to the video element */
  readonly video: React.RefObject<HTMLVideoElement>
  readonly isRunning: boolean
  readonly problem: CameraProblem | undefined
  /** whether there is another camera to switch to */
  readonly hasOther: boolean
}

/** Streams the device's camera while the view is mounted. @param facing - towards the user or the document */
export function useCamera(facing: 'user' | 'environment'): CameraState {
  const video = useRef<HTMLVideoElement>(null)
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<CameraProblem>()
  const [hasOther, setOther] = useState(false)
  useEffect(() => {
    const opened = open(facing)
    let isCancelled = false
    setRunning(false)
    opened
      .then(async (stream) => {
        const place = video.current
        if (isCancelled || place === null) return
        place.srcObject = stream
        await place.play()
        setRunning(true)
        // browsers list all devices only once the user has granted access
        const devices = await navigator.mediaDevices.enumerateDevices()
        setOther(devices.filter(({ kind }) => kind === 'videoinput').length > 1)
      })
      .catch((error: unknown) => {
        if (!isCancelled) setProblem(error instanceof Error ? (problems[error.name] ?? 'none') : 'none')
      })
    return () => {
      isCancelled = true
      void opened.then(
        (stream) => {
          for (const track of stream.getTracks()) track.stop()
        },
        () => undefined,
      )
    }
  }, [facing])
  return { video, isRunning, problem, hasOther }
}

class InsecureError extends Error {
  override name = 'InsecureError'
}

async function open(facing: 'user' | 'environment'): Promise<MediaStream> {
  // missing outside secure contexts (https, localhost)
  if (!('mediaDevices' in navigator)) throw new InsecureError()
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: facing, width: { ideal: 1920 }, height: { ideal: 1080 } },
  })
}
