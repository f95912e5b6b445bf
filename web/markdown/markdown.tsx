import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, memo, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../i18n/messages.ts'
import { copyText } from '../ui/copyable-command.tsx'
import { FloatingCard, useHoverCard } from '../ui/popover.tsx'
import { Skeleton } from '../ui/states.tsx'
import { useDark } from '../ui/theme.ts'
import { parseDefinitions, parseSections, withDefinitions } from './markdown-sections.ts'
import type { Heading } from './render-markdown.ts'
import { useResourceLinks } from './resource-links.ts'

const ResourceCard = lazy(async () => ({ default: (await import('../resources/resource-card.tsx')).ResourceCard }))
const RESOURCE_PATH = /^\/r\/([0-9a-f-]{32,36})/i
const getResourceId = (link: Element): string | undefined => RESOURCE_PATH.exec(link.getAttribute('href') ?? '')?.[1]
const findLink = (target: Element): Element | null => {
  const link = target.closest('a')
  return link && getResourceId(link) ? link : null
}

/** Renders untrusted Markdown: no scripts, event handlers, frames or forms of it reach the page. */
export const Markdown = ({ text, outline = false }: { text: string; outline?: boolean }) => {
  const navigate = useNavigate()
  const { data: code } = useQuery({
    queryKey: ['code', 'markdown'],
    queryFn: () => import('./render-markdown.ts'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const render = code?.renderMarkdown
  const sections = useMemo(() => {
    const cut = parseSections(text)
    if (cut.length === 1) return cut
    const definitions = parseDefinitions(text)
    return cut.map((section) => withDefinitions(section, definitions))
  }, [text])
  const html = useMemo(() => (render && sections.length === 1 ? { __html: render(sections[0]!) } : undefined), [render, sections])
  const headings = useMemo(() => (outline && code ? sections.flatMap(code.listHeadings) : []), [outline, code, sections])
  const { anchor, handlers, card, close } = useHoverCard(findLink)
  const prose = useResourceLinks(text, render !== undefined)
  useDiagrams(prose, render !== undefined)
  useEffect(() => {
    if (render && location.hash.startsWith('#md-')) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [render])
  if (render === undefined) return <Skeleton lines={4} />
  const about = anchor && getResourceId(anchor)
  return (
    <>
      {headings.length >= MIN_OUTLINE && <Outline headings={headings} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only the links inside are clicked */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link fires click */}
      <div
        ref={prose}
        className="prose"
        dir="auto"
        {...handlers}
        onClick={(event) => {
          const copied = (event.target as Element).closest('[data-copy]')
          if (copied) return void copyText(copied.parentElement?.querySelector('pre')?.textContent ?? '')
          // Links within the app navigate without a reload; those of the API are files.
          const link = (event.target as Element).closest('a')
          const href = link?.getAttribute('href')
          if (!href?.startsWith('/') || href.startsWith('/api/') || link?.target || event.metaKey || event.ctrlKey || event.shiftKey) return
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

const MIN_OUTLINE = 3

/** The headings of a long text, as links. */
const Outline = ({ headings }: { headings: readonly Heading[] }) => (
  <details className="mb-4 max-w-[46rem] rounded-lg border border-line px-3 py-2 text-sm">
    <summary className="cursor-pointer font-medium">{t('On this page')}</summary>
    <ul className="mt-2 grid gap-1">
      {headings.map(({ id, text, depth }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: headings have no other key
        <li key={i} style={{ paddingInlineStart: `${Math.max(0, depth - 2)}rem` }} dir="auto">
          <a href={`#${id}`} className="inline-block min-h-6 text-soft hover:text-accent hover:underline">
            {text}
          </a>
        </li>
      ))}
    </ul>
  </details>
)

/** Draws diagrams when they appear: sections of long texts are rendered later, and the preview changes while its text is typed. */
const useDiagrams = (box: RefObject<HTMLElement | null>, rendered: boolean): void => {
  const dark = useDark()
  useEffect(() => {
    const root = box.current
    if (!root || !rendered) return undefined
    const draw = () => {
      if (root.querySelector('[data-diagram=""]')) void import('./diagrams.ts').then(({ drawDiagrams }) => drawDiagrams(root, dark))
    }
    draw()
    const watch = new MutationObserver(draw)
    watch.observe(root, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [box, rendered, dark])
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
