import type { Option } from '../ui/picker.tsx'
import { t } from '../words/words.ts'
import { usePeople } from './names.ts'
import { useBootstrap } from './session.ts'
import type { Resource, ResourceEdit } from './types.ts'

/** People and groups own alike: one list to choose from, though a record has a field for each. */
type Owned = Pick<Resource, 'owners' | 'owners_groups'>

export const ownersOf = ({ owners, owners_groups }: Owned): readonly string[] => [...owners, ...owners_groups]

/** Whom one can choose: the people are asked for when somebody is about to choose. */
export const useOwnerOptions = (wanted: boolean): readonly Option[] => {
  const people = usePeople(wanted)
  const { groups } = useBootstrap()
  return [
    ...groups.map(({ id, name }) => ({ id, label: name, hint: t('Group'), person: true })),
    ...people.map(({ id, name, email }) => ({ id, label: name, hint: email, person: true })),
  ]
}

/** The edit that makes this one an owner, or no longer. */
export const useOwnersEdit = (): ((of: Owned, id: string, on: boolean) => ResourceEdit) => {
  const { groups } = useBootstrap()
  return ({ owners, owners_groups }, id, on) => {
    const group = owners_groups.includes(id) || groups.some((each) => each.id === id)
    const others = (group ? owners_groups : owners).filter((each) => each !== id)
    return { [group ? 'owners_groups' : 'owners']: on ? [...others, id] : others }
  }
}
