import { startPage } from '../shared/frame/start-page.tsx'
import './reference.css'
import { ReferencePage } from './reference-page.tsx'

startPage(<ReferencePage />)
