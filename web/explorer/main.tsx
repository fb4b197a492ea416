import { startPage } from '../shared/frame/start-page.tsx'
import './explorer.css'
import { ExplorerPage } from './explorer-page.tsx'

startPage(<ExplorerPage />)
