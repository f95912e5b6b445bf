import type { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { goToLine, highlightLines, openYaml } from './yaml.ts'

interface YamlEditorProps {
  readonly label: string
  readonly text: string
  readonly readOnly: boolean
  readonly onChange: (text: string) => void
  /** Lines with errors. */
  readonly wrong: readonly number[]
  /** The cursor moves to this line whenever a new object is passed. */
  readonly goTo?: { readonly line: number }
}

/** An editor for a YAML file. A changed `text` replaces the content; typing calls `onChange`. */
export const YamlEditor = ({ label, text, readOnly, onChange, wrong, goTo }: YamlEditorProps) => {
  const box = useRef<HTMLDivElement>(null)
  const code = useRef<EditorView>(undefined)
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is opened once, with the initial text
  useEffect(() => {
    const view = openYaml(box.current!, { text, label, readOnly, onChange: (now) => latest.current(now) })
    code.current = view
    return () => view.destroy()
  }, [label, readOnly])
  useEffect(() => {
    const view = code.current
    if (view && view.state.doc.toString() !== text) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
  }, [text])
  useEffect(() => {
    if (code.current) highlightLines(code.current, wrong)
  }, [wrong])
  useEffect(() => {
    if (code.current && goTo) goToLine(code.current, goTo.line)
  }, [goTo])
  return (
    <div
      ref={box}
      className="max-h-[65dvh] min-h-72 min-w-0 overflow-auto rounded-lg border border-line-strong/60 focus-within:border-accent"
    />
  )
}
