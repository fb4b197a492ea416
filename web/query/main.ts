import '../shared/look/look.css'
import './query.css'

/** The frame of the page is painted before the editor, of which there is much, is read and run. */
const painted = new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)))

const { begin } = await painted.then(() => import('./begin.tsx'))
begin()
