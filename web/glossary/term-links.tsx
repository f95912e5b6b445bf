import { Link } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useResourceCards } from '../resources/use-resource-cards.tsx'

/** Shows the definition of a term below when the pointer or the focus is on its link. */
export const TermCards = ({ className, children }: { className?: string; children: ReactNode }) => {
  const { handlers, card } = useResourceCards()
  return (
    <>
      <span className={className} {...handlers}>
        {children}
      </span>
      {card}
    </>
  )
}

/** A glossary term, as a link to its definition. */
export const TermLink = ({ id, name }: { id: string; name: string }) => (
  <Link
    to="/glossary"
    search={{ term: id }}
    data-resource={id}
    className="inline-flex max-w-48 min-w-0 items-center gap-1 rounded-md border border-line bg-raised px-1.5 py-px text-xs text-soft hover:border-line-strong hover:text-accent"
  >
    <BookOpen aria-hidden size={11} className="shrink-0 text-faint" />
    <span className="truncate" dir="auto">
      {name}
    </span>
  </Link>
)
