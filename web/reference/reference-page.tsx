import { useCallback, useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { errorOf, FaultBoundary } from '../shared/frame/fault-boundary.tsx'
import { PageHeader } from '../shared/frame/page-header.tsx'
import { useTitle } from '../shared/frame/page-hooks.ts'
import { AccessProvider } from './access/access.tsx'
import { AuthorizeDialog } from './access/authorize-dialog.tsx'
import { UserStatus } from './access/user-status.tsx'
import { type DescribedInterface, readDescribed } from './interface/described.ts'
import { DocumentProvider } from './interface/document.tsx'
import { About } from './listing/about.tsx'
import { OperationList } from './listing/operation-list.tsx'
import { SchemaList } from './listing/schema-list.tsx'
import { useWords } from './words/words.ts'

/** The OpenAPI document of this listener, with forms that send requests to it. */
export function ReferencePage() {
  const { word } = useWords()
  const [described, setDescribed] = useState<DescribedInterface>()
  const [problem, setProblem] = useState<Error>()
  const read = useCallback(async () => {
    setProblem(undefined)
    try {
      setDescribed(await readDescribed())
    } catch (error) {
      setProblem(errorOf(error))
    }
  }, [])
  useEffect(() => void read(), [read])
  if (described !== undefined) return <Reference described={described} />
  return (
    <>
      <PageHeader home="/docs" />
      <main className="wide" id="content" tabIndex={-1}>
        <h1>{word('documentation')}</h1>
        {problem === undefined ? (
          <p role="status">{word('loading')}</p>
        ) : (
          <div role="alert" className="notice bad">
            <p>{word('no-document')}</p>
            <p>
              <bdi>{problem.message}</bdi>
            </p>
            <Button onPress={() => void read()}>{word('fault.again')}</Button>
          </div>
        )}
      </main>
    </>
  )
}

function Reference({ described }: { described: DescribedInterface }) {
  const { word } = useWords()
  const { document, development } = described
  useTitle(document.info.title)
  const isServed = (path: string): boolean => Object.hasOwn(document.paths, path)
  const links = [
    { href: '/openapi.json', text: 'OpenAPI' },
    ...(isServed('/asyncapi.json') ? [{ href: '/asyncapi.json', text: 'AsyncAPI' }] : []),
    { href: '/health', text: word('health') },
  ]
  return (
    <DocumentProvider value={document}>
      <AccessProvider described={described}>
        <PageHeader home={isServed('/') ? '/' : '/docs'} links={{ label: word('documentation'), items: links }} who={<UserStatus />} />
        <main className="wide" id="content" tabIndex={-1}>
          <FaultBoundary>
            <About />
            <OperationList />
            <SchemaList />
          </FaultBoundary>
        </main>
        <AuthorizeDialog account={development.account} />
      </AccessProvider>
    </DocumentProvider>
  )
}
