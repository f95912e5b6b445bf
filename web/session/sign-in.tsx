import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { api, isApiError } from '../api/client.ts'
import { reloadSession, setupQuery } from '../api/session.ts'
import type { SignedIn } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Skeleton } from '../ui/states.tsx'
import { SignInCard, SignInCardForm, SignInField } from './card.tsx'
import { chooseSignInForm, type SignInForm } from './choose-form.ts'
import { Welcome } from './welcome.tsx'

/** Errors the identity provider's redirect reports. */
const OIDC_ERRORS = new Map(
  Object.entries({
    oidc_failed: t('Sign-in with your identity provider failed. Please try again.'),
    oidc_unknown_user: t('You don’t have an account here yet. Ask an admin for an invitation.'),
    oidc_unverified_email: t('Your e-mail address is not verified at your identity provider.'),
    oidc_disabled: t('Your account is disabled. Contact an admin.'),
  }),
)

/** Sign-in by password, token or identity provider. Shown instead of any page until the user is signed in; `ended` after a session that has ended by itself. */
export const SignIn = ({ ended = false }: { ended?: boolean }) => {
  const { pathname, search } = useLocation()
  const { problem, return_to } = search as { problem?: string; return_to?: string }
  const navigate = useNavigate()
  const setup = useQuery(setupQuery)
  const [chosen, setChosen] = useState<SignInForm>()
  const form = chosen ?? chooseSignInForm(setup.data)
  const [login, setLogin] = useState('')
  const [secret, setSecret] = useState('')
  const attempt = useMutation({
    mutationFn: async () => {
      if (form === 'token') await api.post<SignedIn>('/auth/sign_in/token', { token: secret.trim() })
      else await api.post<SignedIn>('/auth/sign_in', { login: login.trim(), password: secret })
      await reloadSession()
      // Only paths of this app: `return_to` must not become an open redirect.
      if (pathname === '/sign-in') await navigate({ to: (/^\/(?![/\\])/.test(return_to ?? '') ? return_to : '/') as '/' })
    },
  })
  if (setup.isPending) return <Skeleton lines={6} className="p-6" /> // another form a moment later would close menus and lose what was typed
  if (form === 'setup') return <Welcome onSignIn={() => setChosen('password')} onToken={() => setChosen('token')} />

  const oidc = setup.data?.oidc
  const back = pathname === '/sign-in' ? (return_to ?? '/') : location.pathname + location.search
  return (
    <SignInCard title={t('Sign in')}>
      {ended && (
        <p role="status" className="text-sm text-soft">
          {t('Your session has ended. Sign in to continue on this page.')}
        </p>
      )}
      {problem && (
        <p role="alert" className="text-sm text-bad">
          {OIDC_ERRORS.get(problem) ?? t('Sign-in failed.')}
        </p>
      )}
      <SignInCardForm
        submit={t('Sign in')}
        busy={attempt.isPending}
        problem={attempt.error ? explainSignInError(attempt.error, form) : undefined}
        onSubmit={attempt.mutate}
      >
        {form === 'token' ? (
          <SignInField
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
            <SignInField label={t('E-mail or name')} name="login" value={login} onChange={setLogin} required autoComplete="username" />
            <SignInField
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
      </SignInCardForm>
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
    </SignInCard>
  )
}

const explainSignInError = (error: Error, form: SignInForm): string => {
  if (!isApiError(error, 'unauthenticated')) return error.message
  return form === 'token' ? t('Invalid or expired token.') : t('Incorrect e-mail or password.')
}
