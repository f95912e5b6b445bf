import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { signOut } from '../api/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Answer } from '../ui/states.tsx'
import { When } from '../ui/time.tsx'
import { t } from '../words/words.ts'
import { type Session, sessionsQuery } from './queries.ts'
import { Head, Row, Rows } from './rows.tsx'
import { useWrite } from './use-write.ts'

const METHODS: Record<Session['method'], string> = {
  password: t('password'),
  token: t('token'),
  oidc: t('single sign-on'),
  invitation: t('one-time link'),
}

/** `Firefox on Windows`, guessed from the user agent. */
const browserOf = (agent: string | null): string => {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => agent?.includes(`${name}/`))
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'].find((name) => agent?.includes(name))
  const called = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser ?? t('Unknown browser')
  return system ? t('{browser} on {system}', { browser: called, system }) : called
}

/** The user's sessions, each with a sign-out button. */
export const Sessions = () => {
  const others = useWrite({
    perform: () => api.delete('/auth/sessions', { query: { others: true } }),
    old: ['sessions'],
    done: t('Signed out of all other sessions'),
    failed: t('Couldn’t sign out.'),
  })
  return (
    <>
      <Head
        title={t('Sessions')}
        about={t('Devices where you are signed in.')}
        actions={
          <Button busy={others.isPending} onClick={() => others.mutate()}>
            {t('Sign out other sessions')}
          </Button>
        }
      />
      <Answer of={useQuery(sessionsQuery)}>
        {({ results }) => (
          <Rows>
            {results.map((session) => (
              <One key={session.id} session={session} />
            ))}
          </Rows>
        )}
      </Answer>
    </>
  )
}

const One = ({ session: { id, user_agent, address, method, last_used_at, current } }: { session: Session }) => {
  const end = useWrite({ perform: () => api.delete(`/auth/sessions/${id}`), old: ['sessions'], failed: t('Couldn’t sign out.') })
  return (
    <Row
      title={
        <>
          <span className="truncate">{browserOf(user_agent)}</span>
          {current && <Badge tone="good">{t('Current session')}</Badge>}
        </>
      }
      about={`${address ?? t('Unknown location')}, ${METHODS[method]}`}
      aside={<When at={last_used_at} />}
      actions={
        <Button small look="quiet" busy={end.isPending} onClick={() => (current ? void signOut() : end.mutate())}>
          {t('Sign out')}
        </Button>
      }
    />
  )
}
