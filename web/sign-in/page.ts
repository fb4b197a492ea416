import { type BuiltPage, builtPage } from '../serving/built-page.ts'

/** `GET /sign-in`: the sign-in page of the embedded issuer. */
export const signInPage = (): BuiltPage => builtPage('sign-in', { path: '/sign-in', summary: 'Sign-in page of the embedded issuer' })
