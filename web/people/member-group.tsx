import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useNames } from '../api/names.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Page, Section } from '../ui/page.tsx'
import { PersonLink } from '../ui/person-link.tsx'
import { QueryView } from '../ui/states.tsx'
import { OwnedList, OwnedNumbers } from './owned.tsx'
import { type MemberGroup, type MemberGroupType, memberGroupQuery } from './queries.ts'

const teamRoute = getRouteApi('/teams/$id')
const groupRoute = getRouteApi('/groups/$id')

/** A team: its members, its resources and their health. */
export const TeamPage = () => {
  const { id } = teamRoute.useParams()
  return <MemberGroupPage key={id} type="team" id={id} />
}

export const GroupPage = () => {
  const { id } = groupRoute.useParams()
  return <MemberGroupPage key={id} type="group" id={id} />
}

const MemberGroupPage = ({ type, id }: { type: MemberGroupType; id: string }) => (
  <QueryView of={useQuery(memberGroupQuery(type, id))}>{(group) => <Content type={type} group={group} />}</QueryView>
)

const Content = ({ type, group: { id, name, description, closed, members } }: { type: MemberGroupType; group: MemberGroup }) => {
  const isTeam = type === 'team'
  return (
    <Page
      title={name}
      about={
        <span className="flex flex-wrap items-center gap-2">
          {isTeam ? t('Team') : t('Group')}
          {closed && <Badge icon={Lock}>{t('Only members see its resources')}</Badge>}
          {description && <span dir="auto">{description}</span>}
        </span>
      }
    >
      <OwnedNumbers scope={isTeam ? { team: id } : { owner: id }} />
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-2">
        <OwnedList field={isTeam ? 'teams' : 'owners_groups'} id={id} title={isTeam ? t('Resources of the team') : t('Owns')} />
        <Section title={pluralize(members.length, 'member', 'members')}>
          <Members ids={members} />
        </Section>
      </div>
    </Page>
  )
}

const MAX_MEMBERS = 200 // names are fetched in one request

/** Those whose name the viewer may see. */
const Members = ({ ids }: { ids: readonly string[] }) => {
  const nameOf = useNames(ids.slice(0, MAX_MEMBERS))
  const named = ids.slice(0, MAX_MEMBERS).flatMap((id) => {
    const name = nameOf(id)?.name
    return name === undefined ? [] : [{ id, name }]
  })
  return (
    <ul className="grid gap-2 sm:grid-cols-2">
      {named.map(({ id, name }) => (
        <li key={id} className="min-w-0">
          <PersonLink id={id} name={name} avatar />
        </li>
      ))}
      {ids.length > named.length && <li className="text-sm text-faint">{t('{n} more', { n: ids.length - named.length })}</li>}
    </ul>
  )
}
