import { type RefObject, useEffect, useRef } from 'react'
import { watchHealth } from '../api/health.ts'
import { fetchNames } from '../api/names.ts'
import { t } from '../i18n/messages.ts'
import { entityTypeLabel } from '../ui/entity-type.tsx'

const RESOURCE_PATH = /^\/r\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/i
const LABELS = { incident: t('Open incident'), warning: t('Needs attention'), deprecated: t('Deprecated') } as const

type ResourceLink = readonly [id: string, link: Element]

/**
 * Links to resources in a rendered text: marks those that have an incident, need attention or are deprecated, and shows the current title
 * and type of those written as a bare address. What the reader may not see stays an address.
 */
export const useResourceLinks = (text: string, rendered: boolean): RefObject<HTMLDivElement | null> => {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides which links there are
  useEffect(() => {
    const root = box.current
    if (!root || !rendered) return
    let stop = () => {}
    const mark = () => {
      stop()
      const links = findResourceLinks(root)
      if (links.length === 0) return
      stop = watchHealth([...new Set(links.map(([id]) => id))], (find) => {
        for (const [id, link] of links) showHealth(link, find(id))
      })
      void showTitles(links.filter(([, link]) => link.hasAttribute('data-bare')))
    }
    mark()
    // Sections of long texts are rendered later.
    const watch = new MutationObserver(mark)
    watch.observe(root, { childList: true, subtree: true })
    return () => {
      watch.disconnect()
      stop()
    }
  }, [text, rendered])
  return box
}

const findResourceLinks = (root: Element): ResourceLink[] =>
  [...root.querySelectorAll('a[href^="/r/"]')].flatMap((link) => {
    const id = RESOURCE_PATH.exec(link.getAttribute('href') ?? '')?.[1]?.toLowerCase()
    return id ? [[id, link] as const] : []
  })

const showHealth = (link: Element, health: { status: string; deprecated: boolean } | undefined): void => {
  const sign = health?.status === 'incident' ? 'incident' : health?.deprecated ? 'deprecated' : health?.status
  if (sign === 'incident' || sign === 'warning' || sign === 'deprecated') {
    if (link.getAttribute('data-health') === sign) return
    link.setAttribute('data-health', sign)
    link.setAttribute('title', LABELS[sign])
  } else if (link.hasAttribute('data-health')) {
    link.removeAttribute('data-health')
    link.removeAttribute('title')
  }
}

/** `data-bare` is set by render-markdown.ts for links whose text is their address. */
const showTitles = async (links: readonly ResourceLink[]): Promise<void> => {
  if (links.length === 0) return
  for (const [, link] of links) link.removeAttribute('data-bare') // each is looked up once
  const names = await fetchNames(links.map(([id]) => id)).catch(() => undefined)
  for (const [id, link] of links) {
    const named = names?.[id]
    if (named?.type !== 'resource') continue
    link.textContent = named.name
    link.setAttribute('data-type', entityTypeLabel(named.entity_type ?? ''))
  }
}
