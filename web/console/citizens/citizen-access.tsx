import { ExportCitizenDocument } from '@civigraph/client/documents'
import { useState } from 'react'
import { useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { errorOf } from '../../shared/frame/fault-boundary.tsx'
import { saveBlob } from '../../shared/frame/page-document.ts'
import { useErasureWords } from './erasure-words/words.ts'
import type { CitizenInput } from './references.tsx'

const recordsOfPage = 500

/** Saves all data about a citizen as NDJSON. */
export function CitizenAccess({ input }: { input: CitizenInput }) {
  const { word } = useErasureWords()
  const client = useClient()
  const [saving, setSaving] = useState<number>()
  const [problem, setProblem] = useState<Error>()
  const save = async (): Promise<void> => {
    setProblem(undefined)
    const parts: string[] = []
    let count = 0
    try {
      for (let after: string | null | undefined; ; ) {
        setSaving(count)
        const variables = { input: { ...input, first: recordsOfPage, ...(after != null && { after }) } }
        const { data, error } = await client.query(ExportCitizenDocument, variables, { requestPolicy: 'network-only' }).toPromise()
        if (error !== undefined) throw error
        const page = data?.exportCitizen
        if (page == null) break
        parts.push(page.ndjson)
        count += page.count
        after = page.endCursor
        if (after == null) break
      }
      saveBlob('citizen.ndjson', new Blob(parts, { type: 'application/x-ndjson' }))
    } catch (error) {
      setProblem(errorOf(error))
    } finally {
      setSaving(undefined)
    }
  }
  return (
    <section aria-labelledby="access">
      <h2 id="access">{word('access.title')}</h2>
      <p>{word('access.what')}</p>
      <Problem error={problem} />
      <Button isPending={saving !== undefined} onPress={() => void save()}>
        {saving === undefined ? word('access.save') : word('access.saving', { count: saving })}
      </Button>
    </section>
  )
}
