import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { useMe } from '../api/session.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button } from '../ui/button.tsx'
import { QueryView } from '../ui/states.tsx'
import { SignInCard } from './card.tsx'

type Authorization = Schemas['Authorization']
type Scope = Authorization['scope']

const SCOPES: Record<Scope, { readonly label: string; readonly about: string }> = {
  read: { label: t('Read only'), about: t('Search and read what you can see.') },
  write: { label: t('Read and suggest'), about: t('Also suggest changes, ask questions and run monitors as you.') },
}

/** Asks whether an application may act for the signed-in user. */
export const AuthorizePage = () => {
  const { search } = useLocation()
  const parameters = search as Record<string, string>
  const described = useQuery({
    queryKey: ['authorization', parameters],
    queryFn: ({ signal }) => api.get<Authorization>('/auth/authorization', { query: parameters, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <SignInCard title={t('Connect an application')}>
      <QueryView of={described}>
        {(authorization) =>
          authorization.redirect_to ? (
            <InvalidRequest authorization={authorization} address={authorization.redirect_to} />
          ) : (
            <Consent parameters={parameters} authorization={authorization} />
          )
        }
      </QueryView>
    </SignInCard>
  )
}

/** The application has to learn of it, but only after a click: anyone can register an application, so this page must not send people elsewhere by itself. */
const InvalidRequest = ({ authorization: { client_name, redirect_host }, address }: { authorization: Authorization; address: string }) => (
  <div className="grid gap-4">
    <p role="alert" className="text-sm wrap-anywhere">
      <Trans
        message="{application} sent a request that is not valid. Nothing was allowed."
        application={<strong dir="auto">{client_name}</strong>}
      />
    </p>
    <p className="text-sm text-soft wrap-anywhere">
      <Trans message="You will be sent to {host}." host={<strong className="text-ink">{redirect_host}</strong>} />
    </p>
    <div className="flex justify-end">
      <Button onClick={() => location.assign(address)}>{t('Back to the application')}</Button>
    </div>
  </div>
)

const Consent = ({ parameters, authorization }: { parameters: Record<string, string>; authorization: Authorization }) => {
  const { client_name, client_host, redirect_host } = authorization
  const me = useMe()
  const [scope, setScope] = useState<Scope>(authorization.scope)
  const decide = useMutation({
    mutationFn: (approve: boolean) =>
      api.post<{ redirect_to: string }>('/auth/authorization', { ...parameters, approve, granted_scope: scope }),
    onSuccess: ({ redirect_to }) => location.assign(redirect_to),
  })
  return (
    <div className="grid gap-4">
      <p className="text-sm wrap-anywhere">
        <Trans
          message="{application} wants to use Tablinum as {user}."
          application={<strong dir="auto">{client_name}</strong>}
          user={<strong dir="auto">{me.name}</strong>}
        />
      </p>
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-sm font-medium">{t('What it may do')}</legend>
        {(Object.keys(SCOPES) as Scope[])
          .filter((each) => each === 'read' || authorization.scope === 'write')
          .map((each) => (
            <label key={each} className="flex items-start gap-2 rounded-md border border-line p-2 text-sm">
              <input type="radio" name="scope" className="mt-0.5" checked={scope === each} onChange={() => setScope(each)} />
              <span>
                <span className="block font-medium">{SCOPES[each].label}</span>
                <span className="block text-soft">{SCOPES[each].about}</span>
              </span>
            </label>
          ))}
      </fieldset>
      <p className="text-sm text-soft wrap-anywhere">
        <Trans message="You will be sent to {host}." host={<strong className="text-ink">{redirect_host}</strong>} />{' '}
        {client_host ? t('This application belongs to {host}.', { host: client_host }) : null}
      </p>
      {client_host === null && (
        <p className="flex gap-2 rounded-md bg-warn-soft p-2 text-sm text-warn">
          <ShieldAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
          {t('The application chose its name itself. Continue only if you have just started this from an application you trust.')}
        </p>
      )}
      {decide.error && (
        <p role="alert" className="text-sm text-bad">
          {decide.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button busy={decide.isPending} onClick={() => decide.mutate(false)}>
          {t('Deny')}
        </Button>
        <Button look="primary" busy={decide.isPending} onClick={() => decide.mutate(true)}>
          {t('Allow')}
        </Button>
      </div>
    </div>
  )
}
