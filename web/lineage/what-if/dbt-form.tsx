import { useState } from 'react'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { FileChooser, FileDrop } from '../../ui/file-drop.tsx'
import { formatBytes } from '../../ui/number.ts'

const MAX_FILE_BYTES = 100 * 1024 * 1024 // limit of the server

interface DbtFormProps {
  readonly file?: File
  readonly wrong?: readonly string[]
  readonly busy: boolean
  readonly onSubmit: (file: File) => void
}

/** Upload of a changed dbt project's `manifest.json`. */
export const DbtForm = ({ file, wrong, busy, onSubmit }: DbtFormProps) => {
  const [tooLarge, setRefused] = useState<string>()
  const submit = (chosen: File | undefined) => {
    if (!chosen) return
    setRefused(
      chosen.size > MAX_FILE_BYTES
        ? t('{file} is {size}. The maximum is {most}.', {
            file: chosen.name,
            size: formatBytes(chosen.size),
            most: formatBytes(MAX_FILE_BYTES),
          })
        : undefined,
    )
    if (chosen.size <= MAX_FILE_BYTES) onSubmit(chosen)
  }
  const errors = tooLarge ? [tooLarge] : wrong
  return (
    <FileDrop label={t('Changed dbt project')} onFile={submit} className="grid gap-2">
      <p className="text-sm text-soft">
        <Trans
          message="Upload {file} from your branch after running {command}. Unchanged models are skipped."
          file={<code className="font-mono">target/manifest.json</code>}
          command={<code className="font-mono">dbt compile</code>}
        />
      </p>
      <FileChooser label={t('Choose manifest')} file={file} accept=".json,application/json" onFile={submit}>
        {file === undefined
          ? t('or drop it here')
          : busy
            ? t('{file}, {size}: comparing…', { file: file.name, size: formatBytes(file.size) })
            : `${file.name}, ${formatBytes(file.size)}`}
      </FileChooser>
      {errors && (
        <p role="alert" className="text-sm text-bad">
          {errors.join(' ')}
        </p>
      )}
    </FileDrop>
  )
}
