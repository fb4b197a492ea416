import { startPage } from '../shared/frame/start-page.tsx'
import './verification.css'
import { VerificationPage } from './verification-page.tsx'

startPage(<VerificationPage />)
