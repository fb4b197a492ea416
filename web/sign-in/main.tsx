import { startPage } from '../shared/frame/start-page.tsx'
import { SignInPage } from './sign-in-page.tsx'

startPage(<SignInPage />)
