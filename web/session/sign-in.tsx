import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { api, isFailure } from '../api/client.ts'
import { enter, type SignedIn, setupQuery } from '../api/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { t } from '../words/words.ts'
import { Card, Entry, EntryForm } from './card.tsx'
import { Welcome } from './welcome.tsx'
import { firstForm, type SignInForm } from './which-form.ts'

/** Errors the identity provider's redirect reports. */
const PROBLEMS = new Map(
  Object.entries({
    oidc_failed: t('Sign-in with your identity provider failed. Please try again.'),
    oidc_unknown_user: t('You don’t have an account here yet. Ask an admin for an invitation.'),
    oidc_unverified_email: t('Your e-mail address is not verified at your identity provider.'),
    oidc_disabled: t('Your account is disabled. Contact an admin.'),
  }),
)

/** Sign-in by password, token or identity provider. Shown instead of any page until the user is signed in. */
export const SignIn = () => {
  const { pathname, search } = useLocation()
  const { problem, return_to } = search as { problem?: string; return_to?: string }
  const navigate = useNavigate()
  const setup = useQuery(setupQuery)
  const [chosen, setChosen] = useState<SignInForm>()
  const form = chosen ?? firstForm(setup.data)
  const [login, setLogin] = useState('')
  const [secret, setSecret] = useState('')
  const attempt = useMutation({
    mutationFn: async () => {
      if (form === 'token') await api.post<SignedIn>('/auth/sign_in/token', { token: secret.trim() })
      else await api.post<SignedIn>('/auth/sign_in', { login: login.trim(), password: secret })
      await enter()
      // Only paths of this app: `return_to` must not become an open redirect.
      if (pathname === '/sign-in') await navigate({ to: (/^\/(?![/\\])/.test(return_to ?? '') ? return_to : '/') as '/' })
    },
  })
  if (form === 'setup') return <Welcome onSignIn={() => setChosen('password')} onToken={() => setChosen('token')} />

  const oidc = setup.data?.oidc
  const back = pathname === '/sign-in' ? (return_to ?? '/') : location.pathname + location.search
  return (
    <Card title={t('Sign in')}>
      {problem && (
        <p role="alert" className="text-sm text-bad">
          {PROBLEMS.get(problem) ?? t('Sign-in failed.')}
        </p>
      )}
      <EntryForm
        submit={t('Sign in')}
        busy={attempt.isPending}
        problem={attempt.error ? wordsOf(attempt.error, form) : undefined}
        onSubmit={attempt.mutate}
      >
        {form === 'token' ? (
          <Entry
            label={t('Token')}
            hint={t('Starts with tbl_. The server prints one on first start.')}
            type="password"
            name="token"
            value={secret}
            onChange={setSecret}
            required
            autoComplete="off"
          />
        ) : (
          <>
            <Entry label={t('E-mail or name')} name="login" value={login} onChange={setLogin} required autoComplete="username" />
            <Entry
              label={t('Password')}
              type="password"
              name="password"
              value={secret}
              onChange={setSecret}
              required
              autoComplete="current-password"
            />
          </>
        )}
      </EntryForm>
      {oidc && (
        <a href={`${oidc.url}?return_to=${encodeURIComponent(back)}`} className={buttonClass('plain')}>
          {t('Continue with {provider}', { provider: oidc.name })}
        </a>
      )}
      <Button
        look="quiet"
        small
        icon={KeyRound}
        onClick={() => {
          setSecret('')
          attempt.reset()
          setChosen(form === 'token' ? 'password' : 'token')
        }}
      >
        {form === 'token' ? t('Use a password') : t('Use a token')}
      </Button>
      {setup.data?.setup_needed && (
        <Button look="quiet" small onClick={() => setChosen('setup')}>
          {t('Set admin password')}
        </Button>
      )}
    </Card>
  )
}

const wordsOf = (error: Error, form: SignInForm): string => {
  if (!isFailure(error, 'unauthenticated')) return error.message
  return form === 'token' ? t('Invalid or expired token.') : t('Incorrect e-mail or password.')
}
