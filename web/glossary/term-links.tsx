import { Link } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { FloatingCard, useHoverCard } from '../ui/popover.tsx'
import { Skeleton } from '../ui/states.tsx'

const ResourceCard = lazy(async () => ({ default: (await import('../resources/resource-card.tsx')).ResourceCard }))

const findTermLink = (target: Element): Element | null => target.closest('a[data-term]')

/** Shows the definition of a term below when the pointer or the focus is on its link. */
export const TermCards = ({ className, children }: { className?: string; children: ReactNode }) => {
  const { anchor, handlers, card, close } = useHoverCard(findTermLink)
  const id = anchor?.getAttribute('data-term')
  return (
    <>
      <span className={className} {...handlers}>
        {children}
      </span>
      {anchor && id && (
        <FloatingCard anchor={anchor} onClose={close} {...card}>
          <Suspense fallback={<Skeleton lines={2} />}>
            <ResourceCard id={id} />
          </Suspense>
        </FloatingCard>
      )}
    </>
  )
}

/** A glossary term, as a link to its definition. */
export const TermLink = ({ id, name }: { id: string; name: string }) => (
  <Link
    to="/glossary"
    search={{ term: id }}
    data-term={id}
    className="inline-flex max-w-48 min-w-0 items-center gap-1 rounded-md border border-line bg-raised px-1.5 py-px text-xs text-soft hover:border-line-strong hover:text-accent"
  >
    <BookOpen aria-hidden size={11} className="shrink-0 text-faint" />
    <span className="truncate" dir="auto">
      {name}
    </span>
  </Link>
)
