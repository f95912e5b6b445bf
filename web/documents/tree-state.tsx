import { createContext, type DragEvent, type ReactNode, useContext, useMemo, useState } from 'react'
import type { DocumentRecord } from './queries.ts'
import { type Destination, findSiblings, useMove } from './use-move.ts'

type Place = 'before' | 'inside' | 'after'

/** What is being moved in the tree of documents, and where to. */
interface TreeState {
  readonly dragged: DocumentRecord | undefined
  readonly over: { readonly id: string; readonly place: Place } | undefined
  /** The document that was moved last: it gets the focus back. */
  readonly moved: string | undefined
  /** Parents that something was moved into. */
  readonly opened: ReadonlySet<string>
  readonly drag: (document: DocumentRecord | undefined) => void
  readonly hover: (over: TreeState['over']) => void
  readonly moveTo: (document: DocumentRecord, to: Destination) => void
}

const Context = createContext<TreeState | undefined>(undefined)
export const useTreeState = (): TreeState => useContext(Context)!

export const TreeStateProvider = ({ children }: { children: ReactNode }) => {
  const [dragged, drag] = useState<DocumentRecord>()
  const [over, hover] = useState<TreeState['over']>()
  const [moved, setMoved] = useState<string>()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const { mutate } = useMove()
  const state = useMemo(
    (): TreeState => ({
      ...{ dragged, over, moved, opened, drag, hover },
      moveTo: (document, to) => {
        setMoved(document.id)
        if (to.parent) setOpened((before) => new Set([...before, to.parent!]))
        mutate({ document, to })
      },
    }),
    [dragged, over, moved, opened, mutate],
  )
  return <Context value={state}>{children}</Context>
}

/** A quarter of the row at each edge is the place between two rows. */
const findPlace = ({ currentTarget, clientY }: DragEvent): Place => {
  const { top, height } = currentTarget.getBoundingClientRect()
  const share = (clientY - top) / height
  return share < 0.25 ? 'before' : share > 0.75 ? 'after' : 'inside'
}

/** The handlers of a row that can be dragged, and that others can be dropped on. Not on itself or below itself. */
export const useDragHandlers = (document: DocumentRecord, ancestors: readonly string[]) => {
  const { dragged, over, drag, hover, moveTo } = useTreeState()
  const accepts = dragged !== undefined && dragged.id !== document.id && !ancestors.includes(dragged.id)
  const end = () => {
    drag(undefined)
    hover(undefined)
  }
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', document.title)
      drag(document)
    },
    onDragEnd: end,
    onDragOver: (event: DragEvent) => {
      if (!accepts) return
      event.preventDefault()
      const place = findPlace(event)
      if (over?.id !== document.id || over.place !== place) hover({ id: document.id, place })
    },
    onDragLeave: () => over?.id === document.id && hover(undefined),
    onDrop: (event: DragEvent) => {
      if (!accepts) return
      event.preventDefault()
      const place = findPlace(event)
      end()
      if (place === 'inside') return moveTo(dragged, { parent: document.id })
      const siblings = findSiblings(document.parent).filter(({ id }) => id !== dragged.id)
      const at = siblings.findIndex(({ id }) => id === document.id)
      moveTo(dragged, { parent: document.parent, index: place === 'after' ? at + 1 : at })
    },
  }
}
