import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { saveBlob } from '../frame/page-document.ts'
import { useSession } from './session.tsx'

export interface SaveFileProps {
  readonly label: string
  /** at the address of the page */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** under which the browser saves it */
  readonly name: string
  /** text when the file cannot be loaded */
  readonly problem: string
  readonly look?: 'main' | 'plain'
}

/** Loads a file with the token of the user, and saves it. */
export function SaveFile({ label, path, headers = {}, name, problem, look = 'plain' }: SaveFileProps) {
  const { send } = useSession()
  const [isLoading, setLoading] = useState(false)
  const [isFailed, setFailed] = useState(false)
  const save = async (): Promise<void> => {
    setLoading(true)
    setFailed(false)
    try {
      const response = await send(path, { cache: 'no-store', headers })
      if (!response.ok) throw new Error(`${response.status}`)
      saveBlob(name, await response.blob())
    } catch {
      setFailed(true)
    } finally {
      setLoading(false)
    }
  }
  return (
    <>
      <Button look={look} isPending={isLoading} onPress={() => void save()}>
        {label}
      </Button>
      {isFailed && (
        <p role="alert" className="bad">
          {problem}
        </p>
      )}
    </>
  )
}
