import { type BuiltPage, builtPage } from '../serving/built-page.ts'

/** `GET /sign-in`: where the issuer in the platform asks for e-mail address and password. */
export const signInPage = (): BuiltPage =>
  builtPage('sign-in', { path: '/sign-in', summary: 'The page on which the issuer in the platform asks who somebody is' })
