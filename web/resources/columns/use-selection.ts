import { useState } from 'react'

/** The selected rows of a list, as in a spreadsheet: Shift selects the rows in between. */
export interface Selection {
  readonly selected: ReadonlySet<string>
  /** The row whose box is reached with Tab; arrow keys move to the others. */
  readonly current: string | undefined
  /** Whether the box of the current row has to take the focus. */
  readonly focuses: boolean
  toggle(id: string, extend: boolean): void
  /** Moves to another row; with `extend`, selects both. */
  move(id: string, by: number, extend: boolean): void
  set(ids: readonly string[]): void
}

/** `ids` are those that are shown, in their order. */
export const useSelection = (ids: readonly string[]): Selection => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string>()
  const [focuses, setFocuses] = useState(false)
  return {
    selected,
    current: current !== undefined && ids.includes(current) ? current : ids[0],
    focuses,
    toggle: (id, extend) => {
      const [from, to] = [current === undefined ? -1 : ids.indexOf(current), ids.indexOf(id)]
      const range = extend && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      const others = [...selected].filter((each) => !range.includes(each))
      setSelected(new Set(selected.has(id) ? others : [...others, ...range]))
      setCurrent(id)
      setFocuses(false)
    },
    move: (id, by, extend) => {
      const next = ids[ids.indexOf(id) + by]
      if (next === undefined) return
      if (extend) setSelected(new Set([...selected, id, next]))
      setCurrent(next)
      setFocuses(true)
    },
    set: (ids) => setSelected(new Set(ids)),
  }
}
