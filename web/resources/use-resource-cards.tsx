import { lazy, Suspense } from 'react'
import { FloatingCard, useHoverCard } from '../ui/popover.tsx'
import { Skeleton } from '../ui/states.tsx'

const ResourceCard = lazy(async () => ({ default: (await import('./resource-card.tsx')).ResourceCard }))

const findLink = (target: Element): Element | null => target.closest('a[data-resource]')

/** A card about a resource below its link (`data-resource` is its ID) while the pointer or the focus is on it. */
export const useResourceCards = () => {
  const { anchor, handlers, card, close } = useHoverCard(findLink)
  const id = anchor?.getAttribute('data-resource')
  return {
    handlers,
    card: anchor && id && (
      <FloatingCard anchor={anchor} onClose={close} {...card}>
        <Suspense fallback={<Skeleton lines={2} />}>
          <ResourceCard id={id} />
        </Suspense>
      </FloatingCard>
    ),
  }
}
