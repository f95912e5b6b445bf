import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PickerOptions } from '../api/picker-options.ts'
import { useThrottled } from '../api/use-throttled.ts'
import { typeAheadQuery } from './queries.ts'

/** Resources of any kind that match what is typed, for a picker. */
export const useResourceOptions = (except?: string): PickerOptions => {
  const [typed, onSearch] = useState('')
  const query = useThrottled(typed.trim())
  const { data, isFetching } = useQuery({ ...typeAheadQuery(query), placeholderData: keepPreviousData })
  const hits = query === '' ? [] : (data?.results ?? []).filter(({ id }) => id !== except)
  return {
    options: hits.map(({ id, title, title_full }) => ({ id, label: title, hint: title_full, resource: true })),
    onSearch,
    searching: isFetching,
  }
}
