import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, isApiError } from '../api/client.ts'
import { reloadSession } from '../api/session.ts'
import type { Schemas, SignedIn } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { ErrorView, Skeleton } from '../ui/states.tsx'
import { SignInCard, SignInCardForm, SignInField } from './card.tsx'

/** Sets the first password: of the admin on a new server, or of an invited user. */
export const Welcome = ({ onSignIn, onToken }: { onSignIn?: () => void; onToken?: () => void }) => {
  const [code] = useState(() => new URLSearchParams(location.hash.slice(1)).get('code') ?? '')
  const invitation = useQuery({
    queryKey: ['invitation', code],
    queryFn: () => api.post<Schemas['Invited']>('/auth/invitation', { code }),
    enabled: code !== '',
    retry: false,
  })
  if (code === '') return <ChoosePassword setup onSignIn={onSignIn} onToken={onToken} />
  if (invitation.isPending) return <Skeleton className="p-8" />
  if (invitation.error)
    return (
      <SignInCard title={t('Welcome')}>
        {isApiError(invitation.error, 'not_found') ? (
          <p className="text-sm text-soft">{t('This invitation link has expired or was already used. Ask an admin for a new one.')}</p>
        ) : (
          <ErrorView error={invitation.error} retry={() => void invitation.refetch()} />
        )}
      </SignInCard>
    )
  return <ChoosePassword setup={invitation.data.setup} initialCode={code} email={invitation.data.email} name={invitation.data.name} />
}

const ChoosePassword = ({
  setup,
  initialCode,
  email,
  name,
  onSignIn,
  onToken,
}: {
  setup: boolean
  initialCode?: string
  email?: string
  name?: string
  onSignIn?: () => void
  onToken?: () => void
}) => {
  const navigate = useNavigate()
  const [code, setCode] = useState(initialCode ?? '')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [mail, setMail] = useState('')
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const [workspace, setWorkspace] = useState('')
  const choose = useMutation({
    mutationFn: async () => {
      const body = {
        ...{ code: code.trim(), password },
        ...(first.trim() !== '' && { first_name: first.trim() }),
        ...(last.trim() !== '' && { last_name: last.trim() }),
        ...(setup && mail.trim() !== '' && { email: mail.trim() }),
        ...(setup && workspace.trim() !== '' && { workspace_name: workspace.trim() }),
      }
      await api.post<SignedIn>(setup ? '/auth/setup' : '/auth/invitation/accept', body)
      await reloadSession()
      await navigate({ to: '/' })
    },
  })
  const wrong = isApiError(choose.error) ? choose.error.errors : {}
  const different = again !== '' && again !== password
  return (
    <SignInCard
      title={setup ? t('Welcome to Tablinum') : name ? t('Welcome, {name}', { name }) : t('Welcome')}
      about={setup ? t('Set a password for the admin account.') : email}
    >
      <SignInCardForm
        submit={t('Create account')}
        busy={choose.isPending}
        problem={choose.error?.message}
        onSubmit={() => {
          if (!different) choose.mutate()
        }}
      >
        {!initialCode && (
          <SignInField
            label={t('Code // of an invitation')}
            hint={t('The one-time code or admin token the server printed on first start.')}
            error={wrong.code}
            name="code"
            value={code}
            onChange={setCode}
            required
          />
        )}
        {(setup || !name || name === email) && (
          <>
            <SignInField
              label={t('First name')}
              error={wrong.first_name}
              name="first_name"
              value={first}
              onChange={setFirst}
              autoComplete="given-name"
            />
            <SignInField
              label={t('Last name')}
              error={wrong.last_name}
              name="last_name"
              value={last}
              onChange={setLast}
              autoComplete="family-name"
            />
          </>
        )}
        {setup && (
          <SignInField
            label={t('Workspace')}
            hint={t('Optional. For example the name of your company.')}
            error={wrong.workspace_name}
            name="workspace_name"
            value={workspace}
            onChange={setWorkspace}
          />
        )}
        {setup && (
          <SignInField
            label={t('Your e-mail')}
            hint={t('Optional. Used to sign in and for notifications.')}
            error={wrong.email}
            type="email"
            name="email"
            value={mail}
            onChange={setMail}
            autoComplete="username"
          />
        )}
        <SignInField
          label={t('Password')}
          hint={t('At least 10 characters.')}
          error={wrong.password}
          type="password"
          name="password"
          minLength={10}
          value={password}
          onChange={setPassword}
          required
          autoComplete="new-password"
        />
        <SignInField
          label={t('Confirm password')}
          error={different ? t('Passwords don’t match.') : undefined}
          type="password"
          name="again"
          value={again}
          onChange={setAgain}
          required
          autoComplete="new-password"
        />
      </SignInCardForm>
      {onSignIn && (
        <Button look="quiet" small onClick={onSignIn}>
          {t('Sign in with a password instead')}
        </Button>
      )}
      {onToken && (
        <Button look="quiet" small onClick={onToken}>
          {t('Sign in with a token instead')}
        </Button>
      )}
    </SignInCard>
  )
}
