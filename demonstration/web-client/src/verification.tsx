import { type FormEvent, useState } from 'react'

interface Entry {
  readonly path: readonly (string | number)[]
  readonly message: string
}

const asBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read'))
    reader.readAsDataURL(file)
  })

/** Submits a verification to a server of ours, which holds the service key, and shows the result when it is final. */
export function VerificationView({ citizen }: { readonly citizen: string }) {
  const [state, setState] = useState('')
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const fileOf = async (name: string) => asBase64(form.get(name) as File)
    const textOf = (name: string) => String(form.get(name))
    const response = await fetch('/verifications', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Demo-Citizen': citizen },
      body: JSON.stringify({
        documentType: 'NATIONAL_ID',
        countryCode: textOf('country'),
        declaredIdentity: { firstName: textOf('first name'), lastName: textOf('last name') },
        selfie: await fileOf('selfie'),
        documentFront: await fileOf('document'),
      }),
    })
    const answer = await response.json()
    setEntries(response.status === 422 ? answer : [])
    if (response.status !== 202) return
    setState('Waiting …')
    const { outcome, status } = await finished(answer.job.id, citizen)
    setState(outcome ?? status)
  }
  return (
    <>
      <h1>Verification</h1>
      <form onSubmit={(event) => void submit(event).catch(({ message }: Error) => setState(message))}>
        {['first name', 'last name', 'country'].map((name) => (
          <label key={name}>
            {name} <input name={name} />
          </label>
        ))}
        {['selfie', 'document'].map((name) => (
          <label key={name}>
            {name} <input name={name} type="file" required />
          </label>
        ))}
        <button type="submit">Submit</button>
      </form>
      <ul role="alert">
        {entries.map(({ path, message }) => (
          <li key={path.join('.')}>{`${path.join('.')}: ${message}`}</li>
        ))}
      </ul>
      <p role="status">{state}</p>
    </>
  )
}

/** Reads the server-sent event of a final job. A site of yours identifies the citizen by its session cookie and can use EventSource. */
async function finished(id: string, citizen: string): Promise<{ readonly outcome: string | null; readonly status: string }> {
  const response = await fetch(`/verifications/${id}`, { headers: { 'X-Demo-Citizen': citizen } })
  return JSON.parse((await response.text()).replace(/^data: /, ''))
}
