import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { bytes } from '../ui/number.ts'
import { Say } from '../words/say.tsx'
import { t } from '../words/words.ts'

const LARGEST = 100 * 1024 * 1024 // limit of the server

interface DbtFormProps {
  readonly file?: File
  readonly wrong?: readonly string[]
  readonly busy: boolean
  readonly onAsk: (file: File) => void
}

/** Upload of a changed dbt project's `manifest.json`. */
export const DbtForm = ({ file, wrong, busy, onAsk }: DbtFormProps) => {
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<string>()
  const take = (chosen: File | undefined) => {
    if (!chosen) return
    setRefused(
      chosen.size > LARGEST
        ? t('{file} is {size}. The maximum is {most}.', { file: chosen.name, size: bytes(chosen.size), most: bytes(LARGEST) })
        : undefined,
    )
    if (chosen.size <= LARGEST) onAsk(chosen)
  }
  const told = refused ? [refused] : wrong
  return (
    <div
      role="group"
      aria-label={t('Changed dbt project')}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files[0])
      }}
      className={cx(
        'grid gap-2 rounded-lg border border-dashed px-4 py-3',
        over ? 'border-accent bg-accent-soft' : 'border-line-strong/60',
      )}
    >
      <p className="text-sm text-soft">
        <Say
          words="Upload {file} from your branch after running {command}. Unchanged models are skipped."
          file={<code className="font-mono">target/manifest.json</code>}
          command={<code className="font-mono">dbt compile</code>}
        />
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <label className={buttonClass(file ? 'plain' : 'primary', false, 'cursor-pointer focus-within:outline-2')}>
          <FileUp aria-hidden size={15} /> {file ? t('Choose another') : t('Choose manifest')}
          <input
            type="file"
            accept=".json,application/json"
            className="sr-only"
            onChange={({ target }) => {
              take(target.files?.[0])
              target.value = ''
            }}
          />
        </label>
        <p role="status" className="min-w-0 truncate text-sm text-soft">
          {file === undefined
            ? t('or drop it here')
            : busy
              ? t('{file}, {size}: comparing…', { file: file.name, size: bytes(file.size) })
              : `${file.name}, ${bytes(file.size)}`}
        </p>
      </div>
      {told && (
        <p role="alert" className="text-sm text-bad">
          {told.join(' ')}
        </p>
      )}
    </div>
  )
}
