import type { Resource } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'

interface PartitionFacts {
  readonly partition_key?: unknown
  readonly partitioned_by?: unknown
  readonly partitions?: unknown
  readonly partition_bounds?: unknown
}

interface Bound {
  readonly name: string
  readonly bounds: string | null
}

/** How the source partitions a table, with the bounds of its partitions where it declares them. */
export const Partitions = ({ resource: { display_metadata } }: { resource: Resource }) => {
  const { partition_key, partitioned_by, partitions, partition_bounds } = display_metadata as PartitionFacts
  const key = typeof partition_key === 'string' ? partition_key : Array.isArray(partitioned_by) ? partitioned_by.join(', ') : ''
  if (key === '') return null
  const bounds = (Array.isArray(partition_bounds) ? partition_bounds : []) as readonly Bound[]
  const count = typeof partitions === 'number' ? partitions : undefined
  return (
    <section className="grid gap-1 border-b border-line py-2.5">
      <h2 className="text-xs font-semibold text-faint">{t('Partitions')}</h2>
      <p className="wrap-anywhere" dir="ltr">
        <code className="text-xs">{key}</code>
      </p>
      {bounds.length > 0 ? (
        <details>
          <summary className="cursor-pointer">{t('{n:# partition|# partitions}', { n: count ?? bounds.length })}</summary>
          <ul className="mt-1 grid max-h-60 gap-1 overflow-auto rounded-md bg-sunken p-2 text-xs">
            {bounds.map((each) => (
              <li key={each.name} className="wrap-anywhere" dir="ltr">
                {each.name} <span className="text-faint">{each.bounds}</span>
              </li>
            ))}
          </ul>
        </details>
      ) : (
        count !== undefined && <p>{t('{n:# partition|# partitions}', { n: count })}</p>
      )}
    </section>
  )
}
