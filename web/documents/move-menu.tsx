import { ArrowDown, ArrowUp, Ellipsis, Indent, Outdent } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { t } from '../i18n/messages.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import type { DocumentRecord } from './queries.ts'
import { useTreeState } from './tree-state.tsx'
import { findSiblings } from './use-move.ts'

/** Moves a document in the tree without dragging it; undefined where there is no such place. */
export const useMoves = (document: DocumentRecord, siblings: readonly DocumentRecord[], ancestors: readonly string[]) => {
  const { moveTo } = useTreeState()
  const { parent } = document
  const at = siblings.findIndex(({ id }) => id === document.id)
  const previous = siblings[at - 1]
  return {
    up: previous && (() => moveTo(document, { parent, index: at - 1 })),
    down: siblings[at + 1] && (() => moveTo(document, { parent, index: at + 1 })),
    into: previous && (() => moveTo(document, { parent: previous.id })),
    out:
      parent === null
        ? undefined
        : () => {
            const to = ancestors.at(-2) ?? null
            const of = findSiblings(to).findIndex(({ id }) => id === parent)
            moveTo(document, { parent: to, index: of + 1 })
          },
    previous,
  }
}

type Moves = ReturnType<typeof useMoves>

/** Alt with an arrow moves the document up or down. */
export const handleMoveKeys = (event: KeyboardEvent, { up, down }: Moves): void => {
  const move = event.altKey && { ArrowUp: up, ArrowDown: down }[event.key]
  if (!move) return
  event.preventDefault()
  event.stopPropagation()
  move()
}

export const MoveMenu = ({ title, moves: { up, down, into, out, previous } }: { title: string; moves: Moves }) => {
  const item = (label: string, icon: typeof ArrowUp, move: (() => void) | undefined, hint?: string) => ({
    ...{ label, icon, hint },
    disabled: move === undefined,
    onSelect: () => move?.(),
  })
  return (
    <Menu
      label={t('Move {title}', { title })}
      align="end"
      trigger={(props) => (
        <IconButton
          {...props}
          label={t('Move {title}', { title })}
          icon={Ellipsis}
          className="opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100"
        />
      )}
      items={[
        item(t('Move up'), ArrowUp, up, 'Alt ↑'),
        item(t('Move down'), ArrowDown, down, 'Alt ↓'),
        item(previous ? t('Move into {title}', { title: previous.title }) : t('Move into the document above'), Indent, into),
        item(t('Move out one level'), Outdent, out),
      ]}
    />
  )
}
