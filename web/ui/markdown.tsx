import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, memo, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { parseDefinitions, parseSections, withDefinitions } from './markdown-sections.ts'
import { useMentionHealth } from './mention-health.ts'
import { FloatingCard, useHoverCard } from './popover.tsx'
import { Skeleton } from './states.tsx'

const ResourceCard = lazy(async () => ({ default: (await import('../resources/resource-card.tsx')).ResourceCard }))
const RESOURCE_PATH = /^\/r\/([0-9a-f-]{32,36})/i
const getResourceId = (link: Element): string | undefined => RESOURCE_PATH.exec(link.getAttribute('href') ?? '')?.[1]
const findLink = (target: Element): Element | null => {
  const link = target.closest('a')
  return link && getResourceId(link) ? link : null
}

/** Renders untrusted Markdown: no scripts, event handlers, frames or forms of it reach the page. */
export const Markdown = ({ text }: { text: string }) => {
  const navigate = useNavigate()
  const { data: render } = useQuery({
    queryKey: ['code', 'markdown'],
    queryFn: async () => (await import('./render-markdown.ts')).renderMarkdown,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const sections = useMemo(() => {
    const cut = parseSections(text)
    if (cut.length === 1) return cut
    const definitions = parseDefinitions(text)
    return cut.map((section) => withDefinitions(section, definitions))
  }, [text])
  const html = useMemo(() => (render && sections.length === 1 ? { __html: render(sections[0]!) } : undefined), [render, sections])
  const { anchor, handlers, card, close } = useHoverCard(findLink)
  const prose = useMentionHealth(text, render !== undefined)
  if (render === undefined) return <Skeleton lines={4} />
  const about = anchor && getResourceId(anchor)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only the links inside are clicked */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link fires click */}
      <div
        ref={prose}
        className="prose"
        dir="auto"
        {...handlers}
        onClick={(event) => {
          // Links within the app navigate without a reload.
          const link = (event.target as Element).closest('a')
          const href = link?.getAttribute('href')
          if (!href?.startsWith('/') || link?.target || event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          close()
          void navigate({ to: href as '/' })
        }}
        {...(html
          ? // Sanitized by render-markdown.ts; the Content-Security-Policy also blocks inline scripts.
            { dangerouslySetInnerHTML: html }
          : {
              // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other key, and unchanged ones are not rendered again
              children: sections.map((section, i) => <MarkdownSection key={i} text={section} render={render} first={i === 0} />),
            })}
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

interface MarkdownSectionProps {
  readonly text: string
  readonly render: (text: string) => string
  readonly first: boolean
}

/** A section of a long text: rendered when on screen or when the browser is idle. */
const MarkdownSection = memo(({ text, render, first }: MarkdownSectionProps) => {
  const box = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState(() => (first ? { of: text, html: { __html: render(text) } } : undefined))
  const current = drawn?.of === text
  useEffect(() => {
    if (!current) return whenVisibleOrIdle(box.current!, () => setDrawn({ of: text, html: { __html: render(text) } }))
  }, [current, text, render])
  const height = Math.round((text.length / 80) * 24) // an estimate until the browser has measured it
  return (
    <div
      ref={box}
      className="prose-section"
      style={{ containIntrinsicHeight: `auto ${height}px`, ...(!drawn && { minHeight: height }) }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by render-markdown.ts; the Content-Security-Policy also blocks inline scripts
      dangerouslySetInnerHTML={drawn?.html ?? EMPTY}
    />
  )
})
const EMPTY = { __html: '' }

const whenVisibleOrIdle = (element: Element, perform: () => void): (() => void) => {
  const stop = () => {
    watch.disconnect()
    cancelIdle(idle)
  }
  const once = () => {
    stop()
    perform()
  }
  const watch = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && once())
  watch.observe(element)
  const idle = whenIdle(once)
  return stop
}
const hasIdle = 'requestIdleCallback' in globalThis // not in Safari
const whenIdle = (perform: () => void): number => (hasIdle ? requestIdleCallback(perform) : window.setTimeout(perform, 200))
const cancelIdle = (id: number): void => (hasIdle ? cancelIdleCallback(id) : clearTimeout(id))
