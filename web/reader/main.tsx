import { startPage } from '../shared/frame/start-page.tsx'
import { graphClient } from '../shared/graph/graph-client.ts'
import { SessionProvider } from '../shared/session/session.tsx'
import { startOfflineCache } from './offline/offline-cache.ts'
import './reader.css'
import './reading/reading.css'
import { ReaderPage } from './reader-page.tsx'

startPage(
  <SessionProvider clientFor={graphClient}>
    <ReaderPage />
  </SessionProvider>,
)
void startOfflineCache()
