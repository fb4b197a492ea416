import '../shared/look/look.css'
import './query.css'

/** The page's frame is painted before the large editor is parsed and run. */
const painted = new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)))

const { begin } = await painted.then(() => import('./query-page.tsx'))
begin()
