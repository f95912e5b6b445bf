import type { ReactNode } from 'react'
import type { Resource } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'

interface NamedDefinition {
  readonly name: string
  readonly definition?: string
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Constraints and indexes of tables, as connectors report them. */
const toDefinitions = (value: unknown): NamedDefinition[] =>
  (Array.isArray(value) ? value : []).flatMap((each: { name?: unknown; definition?: unknown } | null) => {
    const name = toText(each?.name)
    return name === undefined ? [] : [{ name, definition: toText(each?.definition) }]
  })

/** How the source defines a table or column: indexes and constraints; nullability and default. */
export const SourceStructure = ({ resource: { display_metadata: reported } }: { resource: Resource }) => {
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    [t('May be null'), typeof reported.nullable === 'boolean' ? (reported.nullable ? t('Yes') : t('No')) : undefined],
    [t('Default'), toText(reported.default)],
    [t('Generated as'), toText(reported.generated_as) ?? toText(reported.computed)],
    [t('Identity'), toText(reported.identity)],
  ]
  const known = facts.filter(([, value]) => value !== undefined)
  const [constraints, indexes] = [toDefinitions(reported.constraints), toDefinitions(reported.indexes)]
  if (known.length + constraints.length + indexes.length === 0) return null
  return (
    <section aria-label={t('In the source')} className="grid gap-1 border-b border-line py-2.5">
      <h2 className="text-xs font-semibold text-faint">{t('In the source')}</h2>
      {known.length > 0 && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
          {known.map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </dl>
      )}
      {constraints.length > 0 && <Definitions title={t('{n:# constraint|# constraints}', { n: constraints.length })} of={constraints} />}
      {indexes.length > 0 && <Definitions title={t('{n:# index|# indexes}', { n: indexes.length })} of={indexes} />}
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-faint">{name}</dt>
    <dd className="min-w-0 font-mono text-xs leading-5 wrap-anywhere" dir="auto">
      {children}
    </dd>
  </>
)

const Definitions = ({ title, of }: { title: string; of: readonly NamedDefinition[] }) => (
  <details>
    <summary className="min-h-6 cursor-pointer">{title}</summary>
    <ul className="mt-1 grid gap-1">
      {of.map(({ name, definition }) => (
        <li key={name} className="rounded-md bg-sunken px-2 py-1 font-mono text-xs wrap-anywhere" dir="ltr">
          <span className="block font-medium">{name}</span>
          {definition && <span className="text-soft">{definition}</span>}
        </li>
      ))}
    </ul>
  </details>
)
