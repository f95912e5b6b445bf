import { useMutation } from '@tanstack/react-query'
import { compilePatterns } from '../../src/sources/connectors/patterns/name-patterns.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { formatCount } from '../ui/number.ts'
import type { listNames } from './queries.ts'
import { SchemaPatternPicker } from './schema-pattern-picker.tsx'

const MAX_SHOWN = 200

type Listed = Awaited<ReturnType<typeof listNames>>

interface PatternPreviewProps {
  readonly list: () => Promise<Listed>
  /** The integration is saved: its stored credentials are used. */
  readonly saved: boolean
  readonly include: string
  readonly exclude: string
  readonly onInclude: (patterns: string) => void
  readonly onExclude: (patterns: string) => void
}

/** Lists the source once on request; its schemas can then be chosen, and what the patterns match is shown as they are typed. */
export const PatternPreview = ({ list, saved, ...patterns }: PatternPreviewProps) => {
  const listing = useMutation({ mutationFn: list })
  return (
    <div className="grid gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Button small busy={listing.isPending} onClick={() => listing.mutate()}>
          {t('Preview patterns')}
        </Button>
        <span className="text-faint">
          {saved
            ? t('Lists the source with the saved credentials. Nothing is changed.')
            : t('Lists the source with these credentials. Nothing is saved.')}
        </span>
      </div>
      {listing.error && (
        <p role="alert" className="text-bad">
          {listing.error.message}
        </p>
      )}
      {listing.data && (
        <>
          <SchemaPatternPicker names={listing.data.names} {...patterns} />
          <Matches {...listing.data} {...patterns} />
        </>
      )}
    </div>
  )
}

const Matches = ({ names, complete, include, exclude }: Listed & Pick<PatternPreviewProps, 'include' | 'exclude'>) => {
  const patterns = compilePatterns(include, exclude)
  const results = names.map(({ name, path }) => ({ name, included: patterns.matches(...path) }))
  const included = results.filter((each) => each.included).length
  return (
    <div className="grid gap-1 rounded-lg border border-line p-3">
      <p role="status" className="font-medium">
        {t('{included} included, {excluded} excluded', {
          included: formatCount(included),
          excluded: formatCount(results.length - included),
        })}
      </p>
      {!complete && <p className="text-faint">{t('The source has more: only a part of it was listed.')}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable */}
      <ul tabIndex={0} aria-label={t('Names in the source')} className="max-h-60 overflow-y-auto font-mono text-xs">
        {results.slice(0, MAX_SHOWN).map(({ name, included }) => (
          <li key={name} className={cx('wrap-anywhere', !included && 'text-faint line-through')}>
            {name}
          </li>
        ))}
      </ul>
      {results.length > MAX_SHOWN && <p className="text-faint">{t('The first {n} are shown.', { n: formatCount(MAX_SHOWN) })}</p>}
    </div>
  )
}
