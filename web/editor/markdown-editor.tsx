import type { EditorView } from '@codemirror/view'
import { Bold, Check, Code, Columns2, Heading2, ImagePlus, Italic, Link2, List, ListChecks, type LucideIcon, Table2 } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useCan } from '../api/session.ts'
import type { Resource } from '../api/types.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { TextDiff } from '../ui/text-diff.tsx'
import { attachFiles } from './attachments.ts'
import { openMarkdown, prefixLines, replaceText, wrapSelection } from './markdown.ts'
import { type Saving, useAutosave } from './use-autosave.ts'

const TABLE_TEMPLATE = `\n| ${t('column')} | ${t('meaning')} |\n| --- | --- |\n|  |  |\n`
const TOOLS: readonly [string, LucideIcon, (view: EditorView) => void][] = [
  [t('Bold'), Bold, (view) => wrapSelection(view, '**')],
  [t('Italic'), Italic, (view) => wrapSelection(view, '_')],
  [t('Code'), Code, (view) => wrapSelection(view, '`')],
  [t('Link'), Link2, (view) => wrapSelection(view, '[', '](https://)')],
  [t('Heading'), Heading2, (view) => prefixLines(view, '## ')],
  [t('List'), List, (view) => prefixLines(view, '- ')],
  [t('Task list'), ListChecks, (view) => prefixLines(view, '- [ ] ')],
  [t('Table'), Table2, (view) => wrapSelection(view, TABLE_TEMPLATE, '')],
]

interface MarkdownEditorProps {
  readonly resource: Resource
  readonly onSaved: (after: Resource) => void
  readonly onClose: () => void
}

const PREVIEW_MS = 150
const PREVIEW_MS_PER_CHARACTER = 0.0005 // a second for 2 MB

/** The text for the preview, updated when typing pauses: rendering must not delay a key press. */
const usePreviewText = (first: string) => {
  const [text, setText] = useState(first)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const length = useRef(first.length)
  useEffect(() => () => clearTimeout(timer.current), [])
  const follow = useCallback((read: () => string) => {
    clearTimeout(timer.current)
    const show = () => {
      const now = read()
      length.current = now.length
      setText(now)
    }
    timer.current = setTimeout(show, Math.max(PREVIEW_MS, length.current * PREVIEW_MS_PER_CHARACTER))
  }, [])
  return [text, follow] as const
}

/** Markdown on the left, preview on the right; saved automatically. */
export const MarkdownEditor = ({ resource, onSaved, onClose }: MarkdownEditorProps) => {
  const box = useRef<HTMLDivElement>(null)
  const code = useRef<EditorView>(undefined)
  const { first, saving, change, save, settle } = useAutosave(resource, onSaved)
  const [text, follow] = usePreviewText(first)
  const [preview, setPreview] = useState(true)
  const seesPeople = useCan('people.read')

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor owns its text after it is opened
  useEffect(() => {
    const view = openMarkdown(box.current!, {
      text: first,
      label: t('Documentation in Markdown'),
      seesPeople,
      onChange: (read) => {
        follow(read)
        change(read)
      },
      onFiles: (view, files) => void attachFiles(view, resource.id, files),
    })
    code.current = view
    if (first !== (resource.definition ?? '')) change(() => first)
    view.focus()
    return () => view.destroy()
  }, [first, change, follow])

  useCommand('editor.save', () => void save())
  useCommand('editor.preview', () => setPreview(!preview))

  return (
    <section aria-label={t('Editor')} className="grid gap-2">
      <div className="flex flex-wrap items-center gap-0.5">
        {TOOLS.map(([label, icon, perform]) => (
          <IconButton key={label} label={label} icon={icon} onClick={() => code.current && perform(code.current)} />
        ))}
        <label
          title={t('Attach an image or a file')}
          className="grid size-8 cursor-pointer place-items-center rounded-md text-soft focus-within:outline-2 hover:bg-hover hover:text-ink"
        >
          <ImagePlus aria-hidden size={16} />
          <input
            type="file"
            multiple
            aria-label={t('Attach an image or a file')}
            className="sr-only"
            onChange={({ target }) => {
              if (code.current) void attachFiles(code.current, resource.id, [...(target.files ?? [])])
              target.value = ''
            }}
          />
        </label>
        <span className="mx-1 h-5 border-s border-line" />
        <IconButton
          label={preview ? t('Hide preview') : t('Show preview')}
          icon={Columns2}
          aria-pressed={preview}
          onClick={() => setPreview(!preview)}
        />
        <span className="flex-1" />
        <SaveStatus of={saving} onRetry={() => void save()} />
        <Button
          small
          look="primary"
          icon={Check}
          busy={saving.state === 'saving'}
          onClick={async () => {
            if (await save()) onClose()
          }}
        >
          {t('Done')}
        </Button>
      </div>
      {saving.state === 'conflict' && (
        <ConflictPanel
          mine={text}
          theirs={saving.theirs}
          onMine={() => {
            settle(saving.theirs)
            void save()
          }}
          onTheirs={() => {
            settle(saving.theirs)
            if (code.current) replaceText(code.current, saving.theirs.definition ?? '')
          }}
        />
      )}
      <div
        className={cx(
          'grid overflow-hidden rounded-lg border border-line-strong/60 focus-within:border-accent',
          preview && 'md:grid-cols-2',
        )}
      >
        <div ref={box} className="max-h-[65dvh] min-h-72 min-w-0 overflow-auto" />
        {preview && (
          <section
            aria-label={t('Preview')}
            className="max-h-[65dvh] min-w-0 overflow-auto border-line bg-sunken/50 p-4 max-md:border-t md:border-s"
          >
            <Markdown text={text} />
          </section>
        )}
      </div>
    </section>
  )
}

const STATUS_LABELS = {
  saved: t('Saved'),
  waiting: t('Unsaved changes'),
  saving: t('Saving…'),
  conflict: t('Edit conflict'),
}

const SaveStatus = ({ of, onRetry }: { of: Saving; onRetry: () => void }) => (
  <span role="status" className={cx('px-2 text-xs', of.state === 'failed' || of.state === 'conflict' ? 'text-bad' : 'text-faint')}>
    {of.state === 'failed' ? (
      <>
        {t('Couldn’t save: {why}', { why: of.error.message })}{' '}
        <button type="button" onClick={onRetry} className="underline">
          {t('Retry')}
        </button>
      </>
    ) : (
      STATUS_LABELS[of.state]
    )}
  </span>
)

/** Shows both versions after an edit conflict and lets the user choose one. */
const ConflictPanel = ({
  mine,
  theirs,
  onMine,
  onTheirs,
}: {
  mine: string
  theirs: Resource
  onMine: () => void
  onTheirs: () => void
}) => (
  <div role="alert" className="grid gap-3 rounded-lg border border-warn bg-warn-soft/40 p-3">
    <p className="text-sm">
      <span className="font-medium">{t('Someone else saved changes while you were editing.')}</span>{' '}
      {t(
        'Their version is shown in red, yours in green. Edit yours as needed, then choose one. Their version stays in the version history.',
      )}
    </p>
    <TextDiff from={theirs.definition ?? ''} to={mine} />
    <div className="flex gap-2">
      <Button small look="primary" onClick={onMine}>
        {t('Keep mine')}
      </Button>
      <Button small onClick={onTheirs}>
        {t('Take theirs')}
      </Button>
    </div>
  </div>
)
