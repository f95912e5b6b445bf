import { Link } from '@tanstack/react-router'
import { Avatar } from './avatar.tsx'

type PersonType = 'user' | 'group' | 'team'

const PATHS = { user: '/people/$id', group: '/groups/$id', team: '/teams/$id' } as const

/** The name of a person, group or team, which opens their page. */
export const PersonLink = ({
  id,
  name,
  type = 'user',
  avatar,
}: {
  id: string | null
  name: string
  type?: PersonType
  avatar?: boolean
}) => {
  const text = (
    <>
      {avatar && <Avatar name={name} />}
      <span className="truncate" dir="auto">
        {name}
      </span>
    </>
  )
  const look = 'inline-flex min-w-0 max-w-full items-center gap-1.5 font-medium'
  return id === null ? (
    <span className={look}>{text}</span>
  ) : (
    <Link to={PATHS[type]} params={{ id }} className={`${look} hover:text-accent hover:underline`}>
      {text}
    </Link>
  )
}
