/** URL of a resource; undefined without `PUBLIC_URL`. */
export const buildResourceUrl = (publicUrl: string | undefined, resource_id: string): string | undefined =>
  publicUrl && `${publicUrl}/r/${resource_id}`

/** The incident that all of these activities are about. */
export const findCommonIncident = (
  activities: readonly { readonly related_resource_type: string | null; readonly related_resource_ids: readonly string[] | null }[],
): string | undefined => {
  const incidents = new Set(
    activities.map(({ related_resource_type, related_resource_ids }) =>
      related_resource_type === 'incident' ? related_resource_ids?.[0] : undefined,
    ),
  )
  return incidents.size === 1 ? [...incidents][0] : undefined
}

export const buildIncidentUrl = (publicUrl: string | undefined, incident: string): string | undefined =>
  publicUrl && `${publicUrl}/incidents/${incident}`
