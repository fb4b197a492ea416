import { useEffect, useRef, useState } from 'react'
import { factsOf } from '../../shared/frame/page-document.ts'
import { useSession } from '../../shared/session/session.tsx'
import type { ConsoleFacts } from '../sign-in/facts.ts'

const inputs = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const
const checkEveryMs = 5000

/** Locks the console after minutes without input, also when the device slept meanwhile; what was typed remains. */
export function IdleLock() {
  const [{ idleMinutes }] = useState(() => factsOf<ConsoleFacts>())
  const { lock, isExpired, isLocked } = useSession()
  const lastInput = useRef(Date.now())
  useEffect(() => {
    if (idleMinutes === 0 || isExpired) return
    lastInput.current = Date.now()
    const note = (): void => {
      lastInput.current = Date.now()
    }
    for (const input of inputs) addEventListener(input, note, { passive: true, capture: true })
    const timer = setInterval(() => {
      if (Date.now() - lastInput.current >= idleMinutes * 60_000) lock()
    }, checkEveryMs)
    return () => {
      clearInterval(timer)
      for (const input of inputs) removeEventListener(input, note, { capture: true })
    }
  }, [idleMinutes, isExpired, lock])
  useEffect(() => {
    document.documentElement.toggleAttribute('data-locked', isLocked)
    return () => document.documentElement.removeAttribute('data-locked')
  }, [isLocked])
  return null
}
