import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useNames } from '../api/names.ts'
import { t } from '../i18n/messages.ts'
import { EntityTypeIcon, entityTypeLabel } from '../ui/entity-type.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { useResourceCards } from './use-resource-cards.tsx'

const LINK = /(?:(https?:\/\/[^\s/]+))?\/r\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])/gi

/** The resources of this server that a plain text has the addresses of. */
const findLinkedIds = (text: string, origin: string): string[] => [
  ...new Set([...text.matchAll(LINK)].flatMap(([, host, id]) => (host === undefined || host === origin ? [id!.toLowerCase()] : []))),
]

/** Links to the resources whose addresses are in a description, with their current titles. What the reader may not see is left out. */
export const DescriptionLinks = ({ text }: { text: string }) => {
  const ids = useMemo(() => findLinkedIds(text, location.origin), [text])
  const names = useNames(ids)
  const linked = ids.flatMap((id) => {
    const named = names(id)
    return named?.type === 'resource' ? [{ id, title: named.name, type: named.entity_type ?? '' }] : []
  })
  const { handlers, card } = useResourceCards()
  if (linked.length === 0) return null
  return (
    <>
      <ul aria-label={t('Linked resources')} {...handlers} className="mt-1 flex flex-wrap gap-1.5">
        {linked.map(({ id, title, type }) => (
          <li key={id} className="min-w-0">
            <Link
              to="/r/$id"
              params={{ id }}
              data-resource={id}
              className="inline-flex h-6 max-w-64 min-w-0 items-center gap-1 rounded-md border border-line bg-raised px-1.5 text-xs text-soft hover:border-line-strong hover:text-accent"
            >
              <EntityTypeIcon type={type} size={12} />
              <span className="sr-only">{entityTypeLabel(type)} </span>
              <span className="truncate" dir="auto">
                {title}
              </span>
              <TrustBadges id={id} size={12} />
            </Link>
          </li>
        ))}
      </ul>
      {card}
    </>
  )
}
