import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { ResourceList } from '../resources/resource-list.tsx'
import { ROLES } from '../settings/shared/roles.ts'
import { Badge } from '../ui/badge.tsx'
import { Page, Section } from '../ui/page.tsx'
import { PersonLink } from '../ui/person-link.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { OwnedList, OwnedNumbers } from './owned.tsx'
import { personQuery } from './queries.ts'

const route = getRouteApi('/people/$id')

/** A person: what they own, edited, asked and answered, as far as the viewer can see it. */
export const PersonPage = () => {
  const { id } = route.useParams()
  return <QueryView of={useQuery(personQuery(id))}>{(person) => <Content key={id} person={person} />}</QueryView>
}

const Content = ({ person }: { person: Schemas['PersonView'] }) => {
  const { id, name, edited, questions, answers } = person
  return (
    <Page title={name} about={<Contact person={person} />}>
      <OwnedNumbers scope={{ owner: id }} />
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-2">
        <OwnedList field="owners" id={id} title={t('Owns')} />
        <div className="grid grid-cols-1 content-start gap-8">
          {edited.length > 0 && (
            <Section title={t('Recently edited')}>
              <ResourceList of={edited} aside={({ edited_at }) => <RelativeTime at={edited_at} />} />
            </Section>
          )}
          {questions.length > 0 && (
            <Section title={t('Open questions')}>
              <ResourceList of={questions} aside={({ updated_at }) => <RelativeTime at={updated_at} />} />
            </Section>
          )}
          {answers.length > 0 && (
            <Section title={t('Answered')}>
              <ResourceList of={answers} aside={({ updated_at }) => <RelativeTime at={updated_at} />} />
            </Section>
          )}
        </div>
      </div>
    </Page>
  )
}

const Contact = ({ person: { email, role, disabled, teams, groups } }: { person: Schemas['PersonView'] }) => (
  <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
    {email !== null && (
      <a href={`mailto:${email}`} className="inline-flex items-center gap-1.5 text-accent hover:underline">
        <Mail aria-hidden size={14} /> {email}
      </a>
    )}
    {role !== null && <span>{ROLES[role as keyof typeof ROLES] ?? role}</span>}
    {disabled && <Badge tone="warn">{t('Disabled')}</Badge>}
    {teams.map((team) => (
      <PersonLink key={team.id} {...team} type="team" />
    ))}
    {groups.map((group) => (
      <PersonLink key={group.id} {...group} type="group" />
    ))}
  </span>
)
