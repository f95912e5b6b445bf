import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { signOut } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { type Session, sessionsQuery } from './shared/queries.ts'
import { SectionHeader, SettingsRow, SettingsRows } from './shared/rows.tsx'
import { useSettingsMutation } from './shared/use-settings-mutation.ts'

const METHODS: Record<Session['method'], string> = {
  password: t('password'),
  token: t('token'),
  oidc: t('single sign-on'),
  invitation: t('one-time link'),
}

/** `Firefox on Windows`, guessed from the user agent. */
const describeBrowser = (agent: string | null): string => {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => agent?.includes(`${name}/`))
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'].find((name) => agent?.includes(name))
  const called = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser ?? t('Unknown browser')
  return system ? t('{browser} on {system}', { browser: called, system }) : called
}

/** The user's sessions, each with a sign-out button. */
export const Sessions = () => {
  const others = useSettingsMutation({
    perform: () => api.delete('/auth/sessions', { query: { others: true } }),
    staleKeys: ['sessions'],
    done: t('Signed out of all other sessions'),
    failed: t('Couldn’t sign out.'),
  })
  return (
    <>
      <SectionHeader
        title={t('Sessions')}
        about={t('Devices where you are signed in.')}
        actions={
          <Button busy={others.isPending} onClick={() => others.mutate()}>
            {t('Sign out other sessions')}
          </Button>
        }
      />
      <QueryView of={useQuery(sessionsQuery)}>
        {({ results }) => (
          <SettingsRows>
            {results.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </SettingsRows>
        )}
      </QueryView>
    </>
  )
}

const SessionRow = ({ session: { id, user_agent, address, method, last_used_at, current } }: { session: Session }) => {
  const end = useSettingsMutation({
    perform: () => api.delete(`/auth/sessions/${id}`),
    staleKeys: ['sessions'],
    failed: t('Couldn’t sign out.'),
  })
  return (
    <SettingsRow
      title={
        <>
          <span className="truncate">{describeBrowser(user_agent)}</span>
          {current && <Badge tone="good">{t('Current session')}</Badge>}
        </>
      }
      about={`${address ?? t('Unknown location')}, ${METHODS[method]}`}
      aside={<RelativeTime at={last_used_at} />}
      actions={
        <Button small look="quiet" busy={end.isPending} onClick={() => (current ? void signOut() : end.mutate())}>
          {t('Sign out')}
        </Button>
      }
    />
  )
}
