import { ChevronDown, ChevronRight, EyeOff, Minus, Plus } from 'lucide-react'
import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import { KindIcon } from '../ui/kind.tsx'
import { colour } from '../ui/theme.ts'
import type { Scene } from './scene.ts'

/** The colours a picture is needed in, by their token. */
const LOOKS = { plain: 'faint', lit: 'accent', start: 'on-accent' } as const
const SIGNS = { hidden: EyeOff, closed: ChevronRight, opened: ChevronDown, more: Plus, less: Minus } as const

/** The picture of a kind, or a sign, as a background. */
export const picture = (name: string, look: keyof typeof LOOKS = 'plain'): { backgroundImage: string } => ({
  backgroundImage: `var(--picture-${CSS.escape(name)}-${look})`,
})

/**
 * Every picture once, as an image that all boxes share: drawn in each box anew, with the parts of it that a page must keep, pictures were
 * a third of a frame when boxes come into sight.
 */
export const Pictures = ({ scene, dark, layer }: { scene: Scene; dark: boolean; layer: RefObject<HTMLElement | null> }) => {
  const drawn = useRef<HTMLDivElement>(null)
  const kinds = useMemo(() => [...new Set(scene.boxes.map(({ kind }) => kind ?? 'hidden'))].toSorted().join(), [scene])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other kinds have other pictures, another theme other colours
  useLayoutEffect(() => {
    const { style } = layer.current!
    const images: string[] = []
    for (const each of drawn.current!.children as HTMLCollectionOf<HTMLElement>)
      for (const [look, token] of Object.entries(LOOKS)) {
        const image = each.innerHTML.replaceAll('currentColor', colour(token))
        const address = URL.createObjectURL(new Blob([image], { type: 'image/svg+xml' }))
        images.push(address)
        style.setProperty(`--picture-${CSS.escape(each.dataset.picture!)}-${look}`, `url("${address}")`)
      }
    return () => images.forEach(URL.revokeObjectURL)
  }, [kinds, dark, layer])
  return (
    <div ref={drawn} hidden>
      {kinds.split(',').map((kind) => (
        <span key={kind} data-picture={kind}>
          <KindIcon type={kind} size={15} />
        </span>
      ))}
      {Object.entries(SIGNS).map(([name, Icon]) => (
        <span key={name} data-picture={name}>
          <Icon size={14} />
        </span>
      ))}
    </div>
  )
}
