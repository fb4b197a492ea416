import { startPage } from '../shared/frame/start-page.tsx'
import './console.css'
import { Console } from './console.tsx'

startPage(<Console />)
