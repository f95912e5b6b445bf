import { t } from '../../i18n/messages.ts'
import { cx } from '../../ui/cx.ts'
import type { Metric } from '../metrics.ts'

/** Choice of a metric, each with a short description. */
export const MetricPicker = ({
  metrics,
  chosen,
  onChoose,
}: {
  metrics: readonly Metric[]
  chosen: Metric
  onChoose: (id: string) => void
}) => (
  <fieldset>
    <legend className="mb-1 text-sm font-medium">{t('Metric')}</legend>
    <div className="grid gap-1.5 sm:grid-cols-2">
      {metrics.map(({ id, label, about }) => (
        <label
          key={id}
          className={cx(
            'grid content-start rounded-lg border px-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-accent',
            id === chosen.id ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
          )}
        >
          <input type="radio" name="metric" className="sr-only" checked={id === chosen.id} onChange={() => onChoose(id)} />
          <span className="text-sm font-medium">{label}</span>
          <span className="text-xs text-soft">{about}</span>
        </label>
      ))}
    </div>
  </fieldset>
)
