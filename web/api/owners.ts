import { isGroupOption } from './picker-options.ts'
import { useBootstrap } from './session.ts'
import type { Resource, ResourceEdit } from './types.ts'

/** Owners can be people or groups: the UI shows one list, the record has a field for each. */
type WithOwners = Pick<Resource, 'owners' | 'owners_groups'>

export const getOwnerIds = ({ owners, owners_groups }: WithOwners): readonly string[] => [...owners, ...owners_groups]

/** The edit that adds or removes an owner. */
export const useOwnersEdit = (): ((of: WithOwners, id: string, on: boolean) => ResourceEdit) => {
  const { groups } = useBootstrap()
  return ({ owners, owners_groups }, id, on) => {
    const group = owners_groups.includes(id) || groups.some((each) => each.id === id) || isGroupOption(id)
    const others = (group ? owners_groups : owners).filter((each) => each !== id)
    return { [group ? 'owners_groups' : 'owners']: on ? [...others, id] : others }
  }
}
