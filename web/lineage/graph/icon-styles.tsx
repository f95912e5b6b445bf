import { ChevronDown, ChevronRight, EyeOff, Minus, Plus } from 'lucide-react'
import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import { EntityTypeIcon } from '../../ui/entity-type.tsx'
import { toCssColor } from '../../ui/theme.ts'
import type { Scene } from './scene.ts'

/** Color tokens of the icons. */
const ICON_COLORS = { plain: 'faint', tracedPath: 'accent', start: 'on-accent' } as const
const SIGNS = { hidden: EyeOff, closed: ChevronRight, opened: ChevronDown, more: Plus, less: Minus } as const

/** Icon of an entity type or a sign, as a CSS background. */
export const iconStyle = (name: string, look: keyof typeof ICON_COLORS = 'plain'): { backgroundImage: string } => ({
  backgroundImage: `var(--picture-${CSS.escape(name)}-${look})`,
})

/**
 * Renders each icon once as an image shared by all boxes: inline SVG in every box took a third of a frame when boxes came on screen.
 */
export const IconStyles = ({ scene, dark, layer }: { scene: Scene; dark: boolean; layer: RefObject<HTMLElement | null> }) => {
  const drawn = useRef<HTMLDivElement>(null)
  const kinds = useMemo(() => [...new Set(scene.boxes.map(({ kind }) => kind ?? 'hidden'))].toSorted().join(), [scene])
  // biome-ignore lint/correctness/useExhaustiveDependencies: icons depend on the entity types, colors on the theme
  useLayoutEffect(() => {
    const { style } = layer.current!
    const images: string[] = []
    for (const each of drawn.current!.children as HTMLCollectionOf<HTMLElement>)
      for (const [look, token] of Object.entries(ICON_COLORS)) {
        const image = each.innerHTML.replaceAll('currentColor', toCssColor(token))
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
          <EntityTypeIcon type={kind} size={15} />
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
