import { startPage } from '../shared/frame/start-page.tsx'
import './landing.css'
import { LandingPage } from './landing-page.tsx'

startPage(<LandingPage />)
