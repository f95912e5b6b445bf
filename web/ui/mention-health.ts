import { type RefObject, useEffect, useRef } from 'react'
import { watchHealth } from '../api/health.ts'
import { t } from '../i18n/messages.ts'

const MENTION = /^\/r\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/i
const LABELS = { incident: t('Open incident'), warning: t('Needs attention'), deprecated: t('Deprecated') } as const

/** Marks links to resources in a rendered text that have an incident, need attention or are deprecated. */
export const useMentionHealth = (text: string, rendered: boolean): RefObject<HTMLDivElement | null> => {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides which links there are
  useEffect(() => {
    const root = box.current
    if (!root || !rendered) return
    let stop = () => {}
    const mark = () => {
      stop()
      const links = [...root.querySelectorAll('a[href^="/r/"]')].flatMap((link) => {
        const id = MENTION.exec(link.getAttribute('href') ?? '')?.[1]?.toLowerCase()
        return id ? [[id, link] as const] : []
      })
      if (links.length === 0) return
      stop = watchHealth([...new Set(links.map(([id]) => id))], (find) => {
        for (const [id, link] of links) {
          const health = find(id)
          const sign = health?.status === 'incident' ? 'incident' : health?.deprecated ? 'deprecated' : health?.status
          if (sign === 'incident' || sign === 'warning' || sign === 'deprecated') {
            if (link.getAttribute('data-health') === sign) continue
            link.setAttribute('data-health', sign)
            link.setAttribute('title', LABELS[sign])
          } else if (link.hasAttribute('data-health')) {
            link.removeAttribute('data-health')
            link.removeAttribute('title')
          }
        }
      })
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
