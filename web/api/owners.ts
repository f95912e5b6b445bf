import type { Resource } from './types.ts'

/** Owners can be people or groups: the UI shows one list, the record has a field for each. */
export type WithOwners = Pick<Resource, 'owners' | 'owners_groups'>

export const getOwnerIds = ({ owners, owners_groups }: WithOwners): readonly string[] => [...owners, ...owners_groups]
