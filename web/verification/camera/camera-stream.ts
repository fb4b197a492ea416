import { useEffect, useRef, useState } from 'react'

/** Why there is no picture: refused by the person or their device, no camera, one that another program holds, or a page that may have none. */
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
  /** shows the picture once it is there */
  readonly video: React.RefObject<HTMLVideoElement>
  readonly isRunning: boolean
  readonly problem: CameraProblem | undefined
  /** whether there is another one to turn to */
  readonly hasOther: boolean
}

/** The camera of this device while it is looked at; its light goes out with the view. @param facing - the person, or what they hold before it */
export function useCamera(facing: 'user' | 'environment'): CameraState {
  const video = useRef<HTMLVideoElement>(null)
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<CameraProblem>()
  const [hasOther, setOther] = useState(false)
  useEffect(() => {
    const opened = open(facing)
    let isGone = false
    setRunning(false)
    opened
      .then(async (stream) => {
        const place = video.current
        if (isGone || place === null) return
        place.srcObject = stream
        await place.play()
        setRunning(true)
        // names and number are told only to pages that may look
        const devices = await navigator.mediaDevices.enumerateDevices()
        setOther(devices.filter(({ kind }) => kind === 'videoinput').length > 1)
      })
      .catch((error: unknown) => {
        if (!isGone) setProblem(error instanceof Error ? (problems[error.name] ?? 'none') : 'none')
      })
    return () => {
      isGone = true
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
  // browsers have no such member on pages that did not come over HTTPS, but for this machine's own
  if (!('mediaDevices' in navigator)) throw new InsecureError()
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: facing, width: { ideal: 1920 }, height: { ideal: 1080 } },
  })
}
