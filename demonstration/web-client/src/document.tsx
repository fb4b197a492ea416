import { useQuery } from '@apollo/client/react'
import { graphql } from './gql'
import { Problem } from './problem.tsx'

const Pdf = graphql(`query Pdf { contentPdf { fileName file { url bytes } } }`)

/** A link to the content as PDF; the query is repeated while the platform renders it. */
export function DocumentView({ fetchFile }: { readonly fetchFile: typeof fetch }) {
  const { data, error } = useQuery(Pdf, { pollInterval: 1000, skipPollAttempt: () => false, fetchPolicy: 'network-only' })
  const { file, fileName } = data?.contentPdf ?? {}
  const save = async (url: string): Promise<void> => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await (await fetchFile(url)).blob())
    link.download = fileName ?? 'content.pdf'
    link.click()
  }
  return (
    <>
      <h1>Document</h1>
      {error !== undefined && <Problem error={error} />}
      {file == null ? (
        <p role="status">Rendering …</p>
      ) : (
        <button type="button" onClick={() => void save(file.url)}>{`Save ${fileName} (${file.bytes} bytes)`}</button>
      )}
    </>
  )
}
