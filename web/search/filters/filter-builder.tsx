import { useMutation } from '@tanstack/react-query'
import { FolderPlus, Plus, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { api, isApiError } from '../../api/client.ts'
import type { SearchPage } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import type { FilterField } from './filter-fields.ts'
import {
  changeNode,
  DATE_OPERATOR_LABELS,
  describeFilter,
  type FilterCondition,
  type FilterGroup,
  type FilterNames,
  type FilterNode,
  isGroup,
  locateErrors,
  MATCHES,
  type Match,
  newGroup,
  newKey,
  OPERATOR_LABELS,
  OPERATORS_BY_KIND,
  parseFilter,
  stringifyFilter,
  takesValue,
} from './filter-model.ts'
import { FilterValue } from './filter-value.tsx'
import { useFilterFields, useFilterNames } from './use-filter-fields.ts'

const MAX_DEPTH = 4

const newCondition = ({ name, kind }: FilterField): FilterCondition => ({
  key: newKey(),
  field: name,
  operator: OPERATORS_BY_KIND[kind][0],
  values: kind === 'flag' ? ['true'] : [],
})

interface FilterBuilderProps {
  readonly filter: string | undefined
  readonly onApply: (filter: string | undefined) => void
  readonly onClose: () => void
}

/** Edits the filter of the catalog as nested groups of conditions. The server checks it before it is applied. */
export const FilterBuilder = ({ filter, onApply, onClose }: FilterBuilderProps) => {
  const { fields } = useFilterFields()
  const [root, setRoot] = useState<FilterGroup>(() => {
    const group = parseFilter(filter) ?? newGroup('all', [])
    return group.children.length === 0 ? { ...group, children: [newCondition(fields[0]!)] } : group
  })
  const names = useFilterNames(root)
  const check = useMutation({
    mutationFn: (filter: string) => api.get<SearchPage>('/search', { query: { filter, facets: false, page_size: 1 } }),
  })
  const { mutate } = check
  // What is wrong with a filter from the URL is shown at once.
  useEffect(() => {
    if (filter !== undefined && parseFilter(filter)) mutate(filter)
  }, [filter, mutate])
  const errors = isApiError(check.error, 'invalid_filter') ? locateErrors(root, check.error.errors) : NO_ERRORS
  const apply = () => {
    const next = stringifyFilter(root)
    const done = () => {
      onApply(next)
      onClose()
    }
    if (next === undefined) done()
    else mutate(next, { onSuccess: done })
  }
  const change = (key: number, to: (node: FilterNode) => FilterNode | undefined) => {
    check.reset()
    setRoot(changeNode(root, key, to))
  }
  const text = describeFilter(root, names)
  return (
    <Dialog
      title={t('Filter')}
      wide
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button look="primary" busy={check.isPending} onClick={apply}>
            {t('Apply filter')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Group group={root} depth={1} errors={errors} names={names} onChange={change} />
        {text !== '' && (
          <p className="rounded-md bg-sunken px-3 py-2 text-sm text-soft" dir="auto">
            {text}
          </p>
        )}
        {check.error && errors.size === 0 && (
          <p role="alert" className="text-sm text-bad">
            {check.error.message}
          </p>
        )}
      </div>
    </Dialog>
  )
}

const NO_ERRORS: ReadonlyMap<number, string> = new Map()

interface NodeProps {
  readonly errors: ReadonlyMap<number, string>
  readonly names: FilterNames
  readonly onChange: (key: number, to: (node: FilterNode) => FilterNode | undefined) => void
}

const Group = ({ group, depth, errors, names, onChange }: NodeProps & { group: FilterGroup; depth: number }) => {
  const { fields } = useFilterFields()
  const id = useId()
  const error = errors.get(group.key)
  const add = (node: FilterNode) => onChange(group.key, (before) => ({ ...(before as FilterGroup), children: [...group.children, node] }))
  return (
    <fieldset
      aria-label={t('Group: {match}', { match: MATCHES[group.match] })}
      aria-describedby={error ? id : undefined}
      className={cx('grid min-w-0 gap-2', depth > 1 && 'rounded-lg border border-line bg-sunken/50 p-2.5')}
    >
      <div className="flex items-center gap-2">
        <Select
          small
          fit
          aria-label={t('Match')}
          value={group.match}
          onChange={({ target }) => onChange(group.key, (node) => ({ ...node, match: target.value as Match }))}
        >
          {Object.entries(MATCHES).map(([match, label]) => (
            <option key={match} value={match}>
              {label}
            </option>
          ))}
        </Select>
        <span className="flex-1 text-sm text-soft">{t('these conditions:')}</span>
        {depth > 1 && <IconButton label={t('Remove group')} icon={X} onClick={() => onChange(group.key, () => undefined)} />}
      </div>
      {error && (
        <p id={id} role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
      <div className="grid gap-2 ps-3 sm:ps-5">
        {group.children.map((child) =>
          isGroup(child) ? (
            <Group key={child.key} group={child} depth={depth + 1} errors={errors} names={names} onChange={onChange} />
          ) : (
            <Condition key={child.key} condition={child} errors={errors} names={names} onChange={onChange} />
          ),
        )}
        <div className="flex flex-wrap gap-2">
          <Button small look="quiet" icon={Plus} onClick={() => add(newCondition(fields[0]!))}>
            {t('Add condition')}
          </Button>
          {depth < MAX_DEPTH && (
            <Button small look="quiet" icon={FolderPlus} onClick={() => add(newGroup('any', [newCondition(fields[0]!)]))}>
              {t('Add group')}
            </Button>
          )}
        </div>
      </div>
    </fieldset>
  )
}

const Condition = ({ condition, errors, names, onChange }: NodeProps & { condition: FilterCondition }) => {
  const { fields, find } = useFilterFields()
  const id = useId()
  const { key, operator, values } = condition
  const field = find(condition.field)
  const error = errors.get(key)
  const labels = field.kind === 'date' ? DATE_OPERATOR_LABELS : OPERATOR_LABELS
  const offered: readonly string[] = OPERATORS_BY_KIND[field.kind]
  const operators = offered.includes(operator) ? offered : [operator, ...offered]
  const isListed = fields.some(({ name }) => name === condition.field)
  const edit = (to: Partial<FilterCondition>) => onChange(key, () => ({ ...condition, ...to }))
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          small
          fit
          aria-label={t('Field')}
          value={condition.field}
          onChange={({ target }) => onChange(key, () => ({ ...newCondition(find(target.value)), key }))}
          className="max-w-44"
        >
          {!isListed && <option value={condition.field}>{field.label}</option>}
          {fields.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </Select>
        <Select
          small
          fit
          aria-label={t('Operator')}
          value={operator}
          onChange={({ target }) => edit({ operator: target.value, values: takesValue(target.value) ? values : [] })}
        >
          {operators.map((name) => (
            <option key={name} value={name}>
              {labels[name] ?? name}
            </option>
          ))}
        </Select>
        {takesValue(operator) && (
          <span className="min-w-36 flex-1">
            <FilterValue
              field={field}
              operator={operator}
              values={values}
              names={names}
              errorId={error ? id : undefined}
              onChange={(values) => edit({ values })}
            />
          </span>
        )}
        <IconButton label={t('Remove condition')} icon={X} onClick={() => onChange(key, () => undefined)} />
      </div>
      {error && (
        <p id={id} role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
