import { useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { errorOf } from '../../shared/frame/fault-boundary.tsx'
import { factsOf } from '../../shared/frame/page-document.ts'
import { SignInForm } from '../../shared/session/account-form.tsx'
import { useSession } from '../../shared/session/session.tsx'
import { useLanguage } from '../../shared/words/language.tsx'
import { useWords } from '../words/words.ts'
import { canSignInByCode, leaveToSignIn, returnedSession, SignInProblem, signInInWindow } from './authorization-code.ts'
import type { ConsoleFacts, SignInFacts } from './facts.ts'

export interface SignInProps {
  /** in a separate window, so that this page stays open */
  readonly isBeside?: boolean
  readonly email?: string | null
}

/** Signs in at the identity provider where the browser can, else with an email address and password here. */
export function SignIn({ isBeside = false, email = null }: SignInProps) {
  const [{ signIn }] = useState(() => factsOf<ConsoleFacts>())
  if (signIn === null || !canSignInByCode(signIn)) return <SignInForm email={email} />
  return <SignInAtIssuer facts={signIn} isBeside={isBeside} />
}

function SignInAtIssuer({ facts, isBeside }: { facts: SignInFacts; isBeside: boolean }) {
  const { word } = useWords()
  const { language, choose } = useLanguage()
  const { resume } = useSession()
  const [problem, setProblem] = useState<Error>()
  const [isPending, setPending] = useState(false)

  const attempt = (work: () => Promise<void>): void => {
    setProblem(undefined)
    setPending(true)
    void work()
      .catch((error: unknown) => setProblem(errorOf(error)))
      .finally(() => setPending(false))
  }
  useEffect(() => {
    if (isBeside) return
    attempt(async () => {
      const session = await returnedSession(facts)
      if (session !== undefined) await resume(session)
    })
  }, [])
  const press = (): void => {
    // the identity provider's page, and this page after the redirect, use this page's language
    choose(language)
    const opened = isBeside ? window.open('about:blank', '_blank', 'popup,width=520,height=720') : null
    attempt(async () => (isBeside ? resume(await signInInWindow(facts, opened)) : leaveToSignIn(facts)))
  }
  return (
    <div className="column">
      <Problem error={problem instanceof SignInProblem ? new Error(word(problem.word, problem.values)) : problem} />
      <Button look="main" isPending={isPending} onPress={press}>
        {word('session.sign-in')}
      </Button>
    </div>
  )
}
