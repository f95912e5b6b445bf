import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { FloatingCard, useHoverCard } from './popover.tsx'
import { Skeleton } from './states.tsx'

const ResourceCard = lazy(async () => ({ default: (await import('../resources/resource-card.tsx')).ResourceCard }))
const OF_RESOURCE = /^\/r\/([0-9a-f-]{32,36})/i
const resourceIn = (link: Element): string | undefined => OF_RESOURCE.exec(link.getAttribute('href') ?? '')?.[1]
const findLink = (target: Element): Element | null => {
  const link = target.closest('a')
  return link && resourceIn(link) ? link : null
}

/** Markdown that people or sources wrote, shown inert: no script, no handler, no frame, no form of it reaches the page. */
export const Markdown = ({ text }: { text: string }) => {
  const navigate = useNavigate()
  const { data: render } = useQuery({
    queryKey: ['code', 'markdown'],
    queryFn: async () => (await import('./render-markdown.ts')).renderMarkdown,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const html = useMemo(() => render && { __html: render(text) }, [render, text])
  const { anchor, handlers, card, close } = useHoverCard(findLink)
  if (html === undefined) return <Skeleton lines={4} />
  const about = anchor && resourceIn(anchor)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only the links inside are pressed */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
      <div
        className="prose"
        dir="auto"
        {...handlers}
        onClick={(event) => {
          // Links to our own pages change the page without loading it again.
          const link = (event.target as Element).closest('a')
          const href = link?.getAttribute('href')
          if (!href?.startsWith('/') || link?.target || event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          close()
          void navigate({ to: href as '/' })
        }}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: purified by render-markdown.ts, and a Content-Security-Policy without inline script stands behind it
        dangerouslySetInnerHTML={html}
      />
      {anchor && about && (
        <FloatingCard anchor={anchor} onClose={close} {...card}>
          <Suspense fallback={<Skeleton lines={2} />}>
            <ResourceCard id={about} />
          </Suspense>
        </FloatingCard>
      )}
    </>
  )
}
