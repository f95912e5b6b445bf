import { isGroupOption } from './picker-options.ts'
import { useBootstrap } from './session.ts'
import type { Resource, ResourceEdit } from './types.ts'

/** Owners can be people or groups: the UI shows one list, the record has a field for each. */
type WithOwners = Pick<Resource, 'owners' | 'owners_groups'>

export const getOwnerIds = ({ owners, owners_groups }: WithOwners): readonly string[] => [...owners, ...owners_groups]

type OwnerField = keyof WithOwners

/** The field that holds this owner. */
export const useOwnerField = (): ((of: WithOwners, id: string) => OwnerField) => {
  const { groups } = useBootstrap()
  return ({ owners_groups }, id) =>
    owners_groups.includes(id) || groups.some((each) => each.id === id) || isGroupOption(id) ? 'owners_groups' : 'owners'
}

/** The edit that adds or removes an owner. */
export const useOwnersEdit = (): ((of: WithOwners, id: string, on: boolean) => ResourceEdit) => {
  const fieldOf = useOwnerField()
  return (of, id, on) => {
    const field = fieldOf(of, id)
    const others = of[field].filter((each) => each !== id)
    return { [field]: on ? [...others, id] : others }
  }
}
